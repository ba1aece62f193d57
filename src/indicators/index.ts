export { type Crossover, crossover } from './crossover.js';
export { ema } from './ema.js';
export { type MovingAverage, sma } from './sma.js';
