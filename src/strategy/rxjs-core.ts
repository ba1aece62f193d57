/**
 * The few parts of RxJS that every strategy needs, whether it is written as streams or not. The index of RxJS loads two
 * hundred files, which is a tenth of the start of a backtest. These modules export the same objects as the index.
 */
// oxlint-disable-next-line no-restricted-imports -- because the index would load all of RxJS
export { config } from 'rxjs/internal/config';
// oxlint-disable-next-line no-restricted-imports -- because the index would load all of RxJS
export { Observable } from 'rxjs/internal/Observable';
// oxlint-disable-next-line no-restricted-imports -- because the index would load all of RxJS
export { Subscription } from 'rxjs/internal/Subscription';
// oxlint-disable-next-line no-restricted-imports -- because the index would load all of RxJS
export { isObservable } from 'rxjs/internal/util/isObservable';
