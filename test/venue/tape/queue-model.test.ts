import { describe, expect, it } from 'vitest';
import { FILL_MODELS, THROUGH, TOUCH } from '../../../src/venue/tape/fill-model.js';
import { Desk, market } from './desk.js';

/** After runs of 10 lots on both sides, bid 99 and ask 101, all at time 0. */
function warmDesk(options?: ConstructorParameters<typeof Desk>[0]): Desk {
  const desk = new Desk(options);
  desk.warmUp(10);
  return desk;
}

describe('a resting bid', () => {
  it('is filled at its own price by a print below it, whatever the aggressor', () => {
    for (const aggressor of ['buy', 'sell'] as const) {
      const desk = warmDesk();
      desk.rest('A', 'buy', 98, 5, 1);
      desk.print(2, 97, 3, aggressor);
      desk.print(2, 95, 9, aggressor);
      expect(desk.news()).toEqual(['2 A maker 3@98', '2 A maker 2@98']);
      expect(desk.model.idle).toBe(true);
    }
  });

  it('waits for the estimated queue at its price, which the print eats first', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 99, 5, 1);
    desk.print(2, 99, 9, 'sell');
    expect(desk.news(), '1 of 10 lots is still ahead').toEqual([]);
    desk.print(3, 99, 4, 'sell');
    expect(desk.news()).toEqual(['3 A maker 3@99']);
    desk.print(3, 99, 4, 'sell');
    expect(desk.news()).toEqual(['3 A maker 2@99']);
  });

  it('is not reached at its price by buyers, nor by anything above', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 99, 5, 1);
    desk.print(2, 99, 100, 'buy');
    desk.print(2, 100, 100, 'sell');
    expect(desk.news()).toEqual([]);
  });

  it('has nobody ahead inside the spread', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 5, 1);
    desk.print(2, 100, 2, 'sell');
    expect(desk.news()).toEqual(['2 A maker 2@100']);
  });

  it('has nobody ahead any more once its level was gone', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 99, 5, 1);
    desk.print(2, 98, 1, 'buy');
    desk.print(3, 99, 1, 'sell');
    expect(desk.news()).toEqual(['2 A maker 1@99', '3 A maker 1@99']);
  });

  it('loses the queue ahead also when a better order took the whole print below it', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 5, 1);
    desk.rest('B', 'buy', 99, 5, 1);
    desk.print(2, 98, 5, 'sell');
    desk.print(3, 99, 1, 'sell');
    expect(desk.news()).toEqual(['2 A maker 5@100', '3 B maker 1@99']);
  });

  it('whose queue is unknown is filled only by prints below it', () => {
    const desk = new Desk();
    for (let run = 0; run < 19; run++) {
      desk.print(0, 99, 10, 'sell');
      desk.print(0, 101, 10, 'buy');
    }
    desk.rest('A', 'buy', 99, 5, 1);
    desk.print(2, 99, 1_000, 'sell');
    expect(desk.news()).toEqual([]);
    desk.print(2, 98, 2, 'sell');
    desk.print(3, 99, 1, 'sell');
    expect(desk.news(), 'after a print below, its place is known').toEqual([
      '2 A maker 2@99',
      '3 A maker 1@99',
    ]);
  });

  it('has a whole lot ahead for a part of one', () => {
    const desk = new Desk();
    for (let run = 0; run < 20; run++) {
      desk.print(0, 99, run === 0 ? 11 : 10, 'sell'); // mean 10.05
      desk.print(0, 101, 10, 'buy');
    }
    desk.rest('A', 'buy', 99, 5, 1);
    desk.print(2, 99, 12, 'sell');
    expect(desk.news()).toEqual(['2 A maker 1@99']);
  });

  it('meets only prints later than its own time', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 5, 4);
    desk.print(4, 90, 100, 'sell');
    expect(desk.news()).toEqual([]);
    desk.print(5, 90, 1, 'sell');
    expect(desk.news()).toEqual(['5 A maker 1@100']);
  });

  it('is passed or not by a print off the grid, never met', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 99, 5, 1);
    desk.print(2, 99.5, 100, 'sell');
    expect(desk.news()).toEqual([]);
    desk.print(2, 98.999, 1, 'sell');
    expect(desk.news()).toEqual(['2 A maker 1@99']);
  });
});

describe('a resting ask', () => {
  it('mirrors the bid: beyond, at and below its price', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 101, 5, 1);
    desk.print(2, 100, 50, 'buy');
    desk.print(2, 101, 50, 'sell');
    desk.print(2, 101, 9, 'buy');
    expect(desk.news()).toEqual([]);
    desk.print(3, 101, 2, 'buy'); // 1 ahead, 1 for us
    desk.print(4, 102, 1, 'sell');
    desk.print(5, 101.5, 1, 'sell');
    desk.print(6, 100.5, 9, 'buy');
    expect(desk.news()).toEqual(['3 A maker 1@101', '4 A maker 1@101', '5 A maker 1@101']);
  });

  it('queues behind the runs of buyers, not of sellers', () => {
    const desk = new Desk();
    for (let run = 0; run < 21; run++) {
      desk.print(0, 99, 1_000, 'sell');
      desk.print(0, 101, 3, 'buy');
    }
    desk.rest('A', 'sell', 102, 5, 1);
    desk.print(2, 102, 4, 'buy');
    expect(desk.news()).toEqual(['2 A maker 1@102']);
  });

  it('has nobody ahead inside the spread', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 100, 5, 1);
    desk.print(2, 100, 2, 'buy');
    expect(desk.news()).toEqual(['2 A maker 2@100']);
  });
});

describe('several resting orders', () => {
  it('share a print by price, then by age, and use its quantity once', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 98, 3, 1);
    desk.rest('B', 'buy', 99, 3, 1);
    desk.rest('C', 'buy', 98, 3, 2);
    desk.rest('D', 'buy', 99, 3, 2);
    desk.print(3, 97, 10, 'sell');
    expect(desk.news()).toEqual(['3 B maker 3@99', '3 D maker 3@99', '3 A maker 3@98', '3 C maker 1@98']);
  });

  it('give what is left of a print beyond the better one to the queue of the next', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 2, 1);
    desk.rest('B', 'buy', 99, 5, 1);
    desk.print(2, 99, 13, 'sell'); // 2 to A, 10 eaten ahead of B, 1 to B
    expect(desk.news()).toEqual(['2 A maker 2@100', '2 B maker 1@99']);
  });

  it('count the street once: what is ahead of the earlier is ahead of the later', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 99, 2, 1);
    desk.print(2, 99, 6, 'sell'); // 4 left ahead of A
    desk.rest('B', 'buy', 99, 2, 3); // 10 ahead, among them those 4
    desk.print(4, 99, 7, 'sell'); // 4 eaten, 2 to A, 1 eaten: 5 left ahead of B
    expect(desk.news()).toEqual(['4 A maker 2@99']);
    desk.print(5, 99, 6, 'sell');
    expect(desk.news()).toEqual(['5 B maker 1@99']);
  });

  it('never let a later order overtake an earlier one at the same price', () => {
    const desk = new Desk();
    for (let run = 0; run < 21; run++) {
      desk.print(0, 99, 10, 'sell');
      desk.print(0, 101, 1, 'buy');
    }
    desk.rest('A', 'buy', 99, 2, 1); // 10 ahead
    for (let run = 0; run < 500; run++) {
      desk.print(2, 200, 1, 'sell');
      desk.print(2, 201, 1, 'buy');
    }
    desk.rest('B', 'buy', 99, 2, 3); // runs are of 1 lot now, but A's 10 are ahead of B too
    desk.print(4, 99, 13, 'sell');
    expect(desk.news()).toEqual(['4 A maker 2@99', '4 B maker 1@99']);
  });

  it('leave the street that was ahead of them ahead of the later ones', () => {
    const desk = new Desk();
    for (let run = 0; run < 21; run++) {
      desk.print(0, 99, 10, 'sell');
      desk.print(0, 101, 1, 'buy');
    }
    desk.rest('A', 'buy', 99, 2, 1); // 10 ahead
    for (let run = 0; run < 500; run++) {
      desk.print(2, 200, 1, 'sell');
      desk.print(2, 201, 1, 'buy');
    }
    desk.rest('B', 'buy', 99, 2, 3); // runs are of 1 lot now
    desk.cancel('A');
    desk.print(4, 99, 11, 'sell');
    expect(desk.news()).toEqual(['4 B maker 1@99']);
  });

  it('go on without the one that was cancelled', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 2, 1);
    desk.rest('B', 'buy', 98, 2, 1);
    desk.cancel('A');
    desk.cancel('A');
    desk.print(2, 97, 1, 'sell');
    desk.cancel('B');
    desk.print(2, 97, 1, 'sell');
    expect(desk.news()).toEqual(['2 B maker 1@98']);
    expect(desk.model.idle).toBe(true);
  });

  it('leave to the next what one may not execute', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 9, 1);
    desk.rest('B', 'buy', 99, 9, 1);
    desk.caps.set('A', 2);
    desk.print(2, 98, 5, 'sell');
    desk.caps.set('A', 0);
    desk.print(2, 98, 5, 'sell');
    expect(desk.news()).toEqual(['2 A maker 2@100', '2 B maker 3@99', '2 B maker 5@99']);
  });
});

describe('a taker', () => {
  it('eats prints of its own aggressor side at their prices, later than its time, until it is filled', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 200, 10, 1, 11);
    desk.print(1, 101, 4, 'buy');
    desk.print(2, 99, 4, 'sell');
    desk.print(2, 101, 4, 'buy');
    desk.print(3, 103, 4, 'buy');
    desk.print(3, 102, 4, 'buy');
    desk.print(4, 102, 4, 'buy');
    expect(desk.news()).toEqual(['2 T taker 4@101', '3 T taker 4@103', '3 T taker 2@102']);
    expect(desk.model.idle).toBe(true);
  });

  it('that sells eats what sellers print', () => {
    const desk = warmDesk();
    desk.take('T', 'sell', 1, 5, 1, 11);
    desk.print(2, 101, 4, 'buy');
    desk.print(2, 99, 4, 'sell');
    expect(desk.news()).toEqual(['2 T taker 4@99']);
  });

  it('does not trade beyond its limit', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 101, 10, 1, 11);
    desk.take('U', 'sell', 99, 10, 1, 11);
    desk.print(2, 102, 4, 'buy');
    desk.print(2, 98, 4, 'sell');
    desk.print(2, 101, 1, 'buy');
    desk.print(2, 99, 2, 'sell');
    expect(desk.news()).toEqual(['2 T taker 1@101', '2 U taker 2@99']);
  });

  it('pays the slippage, but never more than its limit', () => {
    const desk = warmDesk({ slippageTicks: 2 });
    desk.take('T', 'buy', 104, 9, 1, 11);
    desk.take('U', 'sell', 96, 9, 1, 11);
    desk.print(2, 101, 1, 'buy');
    desk.print(2, 103, 1, 'buy');
    desk.print(2, 105, 1, 'buy');
    desk.print(3, 99, 1, 'sell');
    desk.print(3, 97, 1, 'sell');
    desk.print(3, 95, 1, 'sell');
    expect(desk.news()).toEqual(['2 T taker 1@103', '2 T taker 1@104', '3 U taker 1@97', '3 U taker 1@96']);
  });

  it('counts slippage in ticks of the price filter', () => {
    const desk = new Desk({ market: market('0.5'), slippageTicks: 1 });
    desk.take('T', 'buy', 2_000, 1, 1, 11);
    desk.print(2, 101, 1, 'buy'); // 1010 steps of 0.1, one tick of 5 steps beyond
    expect(desk.news()).toEqual(['2 T taker 1@1015']);
  });

  it('pays the next tick for a print off the grid', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 101, 9, 1, 11);
    desk.take('U', 'sell', 99, 9, 1, 11);
    desk.print(2, 100.2, 1, 'buy');
    desk.print(2, 101.2, 1, 'buy');
    desk.print(3, 99.8, 1, 'sell');
    desk.print(3, 98.8, 1, 'sell');
    expect(desk.news()).toEqual(['2 T taker 1@101', '3 U taker 1@99']);
  });

  it('gets what the resting orders left of a print, and older takers before younger ones', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 100, 3, 1, 'them');
    desk.take('T', 'buy', 200, 2, 1, 11);
    desk.take('U', 'buy', 200, 9, 1, 11);
    desk.print(2, 101, 8, 'buy');
    expect(desk.news()).toEqual(['2 A maker 3@100', '2 T taker 2@101', '2 U taker 3@101']);
  });

  it('gets nothing of what the street ahead of a resting order ate', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 101, 3, 1, 'them');
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.print(2, 101, 8, 'buy'); // of the 10 ahead of A
    desk.print(3, 101, 6, 'buy'); // 2 ahead, 3 to A, 1 left
    expect(desk.news()).toEqual(['3 A maker 3@101', '3 T taker 1@101']);
  });

  it('has its window to the deadline, inclusive, and hears of its end from the first later print', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 200, 9, 1, 11);
    expect(desk.model.nextDeadline).toBe(11);
    desk.print(11, 101, 1, 'buy');
    desk.print(11, 101, 1, 'buy');
    desk.print(12, 101, 1, 'buy');
    expect(desk.news()).toEqual(['11 T taker 1@101', '11 T taker 1@101', '11 T over']);
    expect(desk.model.nextDeadline).toBe(Number.POSITIVE_INFINITY);
  });

  it('is over at its deadline when the venue says that the time has come', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.model.advance(10);
    expect(desk.news()).toEqual([]);
    desk.model.advance(11);
    expect(desk.news()).toEqual(['11 T over']);
  });

  it('ends by its deadline, not by its age', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 200, 1, 1, 20);
    desk.take('U', 'buy', 200, 1, 2, 12);
    desk.take('V', 'buy', 200, 1, 3, 12);
    desk.print(30, 99, 1, 'sell');
    expect(desk.news()).toEqual(['12 U over', '12 V over', '20 T over']);
  });

  it('that rests after its window is first in the queue, for prints after the deadline', () => {
    const desk = warmDesk();
    desk.take('G', 'buy', 101, 9, 1, 11);
    desk.print(12, 101, 2, 'sell');
    expect(desk.news()).toEqual(['11 G over', '12 G maker 2@101']);
    desk.print(13, 100, 3, 'buy');
    expect(desk.news(), 'it rests now').toEqual(['13 G maker 3@101']);
  });

  it('is gone when it was cancelled', () => {
    const desk = warmDesk();
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.cancel('T');
    desk.print(2, 101, 1, 'buy');
    desk.print(20, 101, 1, 'buy');
    expect(desk.news()).toEqual([]);
    expect(desk.model.idle).toBe(true);
  });
});

describe('a fill-or-kill order', () => {
  it('executes at the print by which there is enough, at the prices of all of them', () => {
    const desk = warmDesk();
    desk.take('F', 'buy', 103, 10, 1, 11, { fillOrKill: true });
    desk.print(2, 101, 4, 'buy');
    desk.print(3, 101, 3, 'buy');
    desk.print(4, 104, 9, 'buy');
    expect(desk.news()).toEqual([]);
    desk.print(5, 103, 9, 'buy');
    expect(desk.news()).toEqual(['5 F taker 7@101', '5 F taker 3@103']);
    expect(desk.model.idle).toBe(true);
    desk.print(12, 101, 9, 'buy');
    expect(desk.news()).toEqual([]);
  });

  it('leaves the rest of the print by which there is enough to younger takers', () => {
    const desk = warmDesk();
    desk.take('F', 'buy', 103, 5, 1, 11, { fillOrKill: true });
    desk.take('T', 'buy', 103, 9, 1, 11);
    desk.print(2, 101, 8, 'buy');
    expect(desk.news()).toEqual(['2 F taker 5@101', '2 T taker 3@101']);
  });

  it('executes nothing when its window did not print enough', () => {
    const desk = warmDesk();
    desk.take('F', 'buy', 103, 10, 1, 11, { fillOrKill: true });
    desk.print(11, 101, 9, 'buy');
    desk.print(12, 101, 1, 'buy');
    expect(desk.news()).toEqual(['11 F over']);
  });

  it('holds its part of each print: younger takers get the rest', () => {
    const desk = warmDesk();
    desk.take('F', 'buy', 103, 5, 1, 11, { fillOrKill: true });
    desk.take('T', 'buy', 103, 9, 1, 11);
    desk.print(2, 101, 4, 'buy');
    desk.print(3, 101, 4, 'buy');
    expect(desk.news()).toEqual(['3 F taker 5@101', '3 T taker 3@101']);
  });

  it('finds no more once an own resting order stands in its way', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 100, 5, 1);
    desk.take('F', 'buy', 103, 5, 1, 11, { fillOrKill: true });
    desk.print(2, 101, 4, 'buy');
    desk.cancel('A');
    desk.print(3, 101, 9, 'buy');
    desk.print(12, 99, 1, 'sell');
    expect(desk.news()).toEqual(['2 A maker 4@100', '11 F over']);
  });
});

describe('self-trade', () => {
  it('ends a taker when an own resting order stands before the print', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 100, 5, 1);
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.print(2, 101, 4, 'buy');
    expect(desk.news()).toEqual(['2 A maker 4@100', '2 T self-trade']);
    desk.print(3, 101, 4, 'buy');
    expect(desk.news()).toEqual(['3 A maker 1@100']);
  });

  it('ends a taker that sells likewise', () => {
    const desk = warmDesk();
    desk.rest('A', 'buy', 100, 5, 1);
    desk.take('T', 'sell', 1, 9, 1, 11);
    desk.print(2, 99, 4, 'sell');
    expect(desk.news()).toEqual(['2 A maker 4@100', '2 T self-trade']);
  });

  it('does not happen when the print took the own order away first', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 100, 3, 1);
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.print(2, 101, 4, 'buy');
    expect(desk.news()).toEqual(['2 A maker 3@100', '2 T taker 1@101']);
  });

  it.each(FILL_MODELS)('happens at the own price whatever of the street stands before it: $name', (model) => {
    const desk = warmDesk({ model });
    desk.rest('A', 'sell', 101, 30, 1);
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.print(2, 101, 9, 'buy');
    expect(desk.news().filter((line) => line.includes(' T '))).toEqual(['2 T self-trade']);
  });

  it('does not happen with an own order beyond the print, with another account, or on a print the taker does not want', () => {
    const desk = warmDesk();
    desk.rest('A', 'sell', 103, 5, 1);
    desk.rest('B', 'sell', 100, 1, 1, 'them');
    desk.take('T', 'buy', 101, 9, 1, 11);
    desk.print(2, 101, 2, 'buy');
    desk.print(3, 105, 1, 'buy');
    expect(desk.news()).toEqual(['2 B maker 1@100', '2 T taker 1@101', '3 A maker 1@103']);
  });

  it('does not depend on the slippage, which no order stands in the way of', () => {
    const desk = warmDesk({ slippageTicks: 2 });
    desk.rest('A', 'sell', 102, 5, 1);
    desk.take('T', 'buy', 200, 9, 1, 11);
    desk.print(2, 101, 2, 'buy');
    expect(desk.news()).toEqual(['2 T taker 2@103']);
  });
});

describe('a core that changes orders while a print is applied', () => {
  it('may cancel others at a fill without upsetting the rest', () => {
    const desk = warmDesk();
    const execute = desk.execute.bind(desk);
    desk.execute = (order, lots, ticks, liquidity, time) => {
      if (order.id === 'A') {
        desk.cancel('B');
        desk.cancel('T');
      }
      return execute(order, lots, ticks, liquidity, time);
    };
    desk.rest('A', 'sell', 100, 1, 1, 'them');
    desk.rest('B', 'sell', 101, 1, 1, 'them');
    desk.rest('C', 'sell', 102, 1, 1, 'them');
    desk.take('T', 'buy', 200, 1, 1, 11);
    desk.take('U', 'buy', 200, 1, 1, 11);
    desk.print(2, 103, 9, 'buy');
    expect(desk.news()).toEqual(['2 A maker 1@100', '2 C maker 1@102', '2 U taker 1@103']);
  });

  it('may cancel the next taker at the fill of one', () => {
    const desk = warmDesk();
    const execute = desk.execute.bind(desk);
    desk.execute = (order, lots, ticks, liquidity, time) => {
      if (order.id === 'T') desk.cancel('U');
      return execute(order, lots, ticks, liquidity, time);
    };
    for (const name of ['T', 'U', 'V']) desk.take(name, 'buy', 200, 1, 1, 11);
    desk.print(2, 101, 9, 'buy');
    expect(desk.news()).toEqual(['2 T taker 1@101', '2 V taker 1@101']);
  });

  it('may bring new orders, which wait for the next print', () => {
    const desk = warmDesk();
    const execute = desk.execute.bind(desk);
    desk.execute = (order, lots, ticks, liquidity, time) => {
      if (order.id === 'A') {
        desk.rest('N', 'buy', 100, 1, time);
        desk.take('M', 'sell', 1, 1, time, 99);
      }
      return execute(order, lots, ticks, liquidity, time);
    };
    desk.rest('A', 'buy', 99, 1, 1, 'them');
    desk.rest('B', 'buy', 98, 1, 1, 'them');
    desk.print(2, 97, 9, 'sell');
    expect(desk.news()).toEqual(['2 A maker 1@99', '2 B maker 1@98']);
    desk.cancel('N');
    desk.print(3, 97, 9, 'sell');
    expect(desk.news()).toEqual(['3 M taker 1@97']);
  });
});

describe('what may be set', () => {
  it('is the model: a bundle of its queue, what reaches it, and its slippage', () => {
    // First in every queue, reached by every aggressor, no slippage: the most favourable that the rules can be.
    const desk = warmDesk({ model: TOUCH, slippageTicks: 3 });
    desk.rest('A', 'buy', 99, 5, 1);
    desk.take('T', 'buy', 200, 5, 1, 11);
    desk.print(2, 99, 2, 'buy');
    desk.print(3, 101, 2, 'buy');
    expect(desk.news()).toEqual(['2 T taker 2@99', '3 T taker 2@101']);
    // What nobody took of it is the bid's, though its aggressor went the other way.
    desk.print(4, 99, 9, 'buy');
    expect(desk.news()).toEqual(['4 T taker 1@99', '4 A maker 5@99']);
    const twice = warmDesk({ model: THROUGH, slippageTicks: 3 });
    twice.take('T', 'buy', 200, 5, 1, 11);
    twice.print(3, 101, 2, 'buy');
    expect(twice.news()).toEqual(['3 T taker 2@107']);
  });

  it('is slippage of whole ticks, against the taker', () => {
    for (const slippageTicks of [-1, 0.5, Number.NaN]) {
      expect(() => new Desk({ slippageTicks })).toThrow('slippage must be whole ticks of 0 or above');
    }
  });
});

describe('the quantity taken to be displayed', () => {
  it('is the mean run of the aggressor that hits the side, and unknown before there were enough', () => {
    const desk = new Desk();
    expect([desk.model.displayed('buy'), desk.model.displayed('sell')]).toEqual([undefined, undefined]);
    for (let run = 0; run < 21; run++) {
      desk.print(0, 99, 7, 'sell');
      desk.print(0, 101, 3, 'buy');
    }
    expect([desk.model.displayed('buy'), desk.model.displayed('sell')]).toEqual([7, 3]);
  });
});
