import type { PairStatus } from '../daemon-api.js';
import { LimitBars } from './limit-bars.js';
import { heldWords, NOT_KNOWN, ordersOf, orderWords, stopsOf, whyWords } from './pair-words.js';
import { anchorOf, PairBadge, PairIndex } from './pair-index.js';
import { Badge, Fact, Said, Section } from './parts.js';
import { PriceChart } from './price-chart.js';
import { ageNow } from './standing.js';
import { standing, status } from './store.js';
import { decimalText, MOST_WHY, plain } from './text.js';

const MOST_PAIRS = 64;
const MOST_ORDERS = 20;

const PERMISSIONS: Readonly<Record<PairStatus['permission'], string>> = {
  all: 'may trade',
  'reduce-only': 'may only reduce',
  'cancel-only': 'may only cancel',
};

export function Pairs() {
  const pairs = status.value?.pairs ?? [];
  if (status.value === undefined) return null;
  return (
    <Section id="pairs" title={pairs.length === 1 ? 'Pair' : `${pairs.length} pairs`}>
      <PairIndex pairs={pairs.slice(0, MOST_PAIRS)} />
      {pairs.slice(0, MOST_PAIRS).map((pair) => (
        <PairCard key={pair.pair} {...pair} />
      ))}
      {pairs.length > MOST_PAIRS ? (
        <p class="empty">{pairs.length - MOST_PAIRS} more are not shown.</p>
      ) : null}
    </Section>
  );
}

function PairCard(pair: PairStatus) {
  const id = anchorOf(pair.pair);
  const { counts } = pair;
  return (
    <article class="card" aria-labelledby={id}>
      <header class="card-head">
        <h3 id={id}>
          <Said text={pair.pair} most={48} />
        </h3>
        <p class="strategy">
          <Said text={pair.strategy} most={64} />
        </p>
        <PairBadge {...pair} />
        {/* Whatever might be sent for a failed strategy, nothing is. */}
        {pair.failure === undefined ? (
          <Badge tone={pair.permission === 'all' ? 'neutral' : 'warning'}>
            {PERMISSIONS[pair.permission] ?? plain(pair.permission, 16)}
          </Badge>
        ) : null}
      </header>
      <p class="reason">
        <Said text={whyWords(pair)} most={MOST_WHY} />
      </p>
      <div class="card-body">
        <div class="card-left">
          <dl class="facts">
            <Fact name="Position">{heldWords(pair)}</Fact>
            <Fact name="Average entry">{price(pair.averageEntry)}</Fact>
            <Fact name="Mark">{price(pair.markPrice)}</Fact>
            <Fact name="Last">{price(pair.lastPrice)}</Fact>
            <Fact name="Feed age">
              <FeedAge ms={pair.pollAgeMs} />
            </Fact>
            <Fact name="In doubt" tone={(pair.doubt ?? 0) > 0 ? 'bad' : undefined}>
              {pair.doubt ?? NOT_KNOWN}
            </Fact>
            <Fact name="Orders, cancels">
              {count(counts.orders)}, {count(counts.cancels)}
            </Fact>
            <Fact name="Fills">{count(counts.fills)}</Fact>
            <Fact name="Refused, rejected" tone={counts.rejections > 0 ? 'warning' : undefined}>
              {count(counts.refusals)}, {count(counts.rejections)}
            </Fact>
            <Fact name="Gaps in the feed" tone={pair.gaps > 0 ? 'warning' : undefined}>
              {pair.gaps}
            </Fact>
          </dl>
          <Orders {...pair} />
          <Params params={pair.params} />
        </div>
        <div class="card-right">
          <h4>Limits</h4>
          <LimitBars {...pair} />
        </div>
      </div>
      <PriceChart pair={pair.pair} />
    </article>
  );
}

function Orders(pair: PairStatus) {
  const { wanted } = pair;
  const { working, others } = ordersOf(pair);
  const words = orderWords({ ...pair, working }, others.length);
  return (
    <div class="orders">
      <div>
        <h4>Wanted</h4>
        <ul>
          {plain(wanted, 600)
            .split('   ')
            .map((each, index) => (
              <li key={index}>
                <Said text={each} />
              </li>
            ))}
        </ul>
      </div>
      <div>
        <h4>{words.working}</h4>
        {working.length === 0 ? <p class="empty">{words.none}</p> : null}
        <ul>
          {working.slice(0, MOST_ORDERS).map((order, index) => (
            <Working key={`${order.orderId ?? ''} ${index}`} {...order} />
          ))}
          <More count={working.length - MOST_ORDERS} />
        </ul>
        <StopList {...pair} />
        {others.length === 0 ? null : (
          <>
            <h4>{words.others}</h4>
            <ul>
              {others.slice(0, MOST_ORDERS).map((order) => (
                <li key={order}>
                  <Said text={order} most={80} />
                </li>
              ))}
              <More count={others.length - MOST_ORDERS} />
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

/** The stops of the session and of those before it; nothing where there is neither a stop nor a need of one. */
function StopList(pair: PairStatus) {
  const { own, left, cover } = stopsOf(pair);
  if (own.length + left.length === 0 && cover === undefined) return null;
  return (
    <>
      <h4>{own.length + left.length > 1 ? 'Stops' : 'Stop'}</h4>
      <ul>
        {own.slice(0, MOST_ORDERS).map((order, index) => (
          <Working key={`${order.orderId ?? ''} ${index}`} {...order} />
        ))}
        <More count={own.length - MOST_ORDERS} />
        {left.slice(0, MOST_ORDERS).map(({ orderId, side, quantity, triggerPrice }) => (
          <li key={orderId}>
            <Said text={`${side} ${quantity} stop ${triggerPrice}`} most={80} />{' '}
            <span class="hint-inline">
              <Said text={orderId} most={40} />, left by an earlier session
            </span>
          </li>
        ))}
        <More count={left.length - MOST_ORDERS} />
      </ul>
      {cover === undefined ? null : <Badge tone={cover.tone}>{cover.words}</Badge>}
    </>
  );
}

/** Formatted like the wanted orders, so that the two can be compared at a glance. */
function Working({ side, quantity, price: at, triggerPrice, state, orderId }: PairStatus['working'][number]) {
  const where = triggerPrice === undefined ? `@ ${at ?? 'market'}` : `stop ${triggerPrice}`;
  return (
    <li>
      <Said text={`${side} ${quantity} ${where}`} most={80} />{' '}
      <span class="hint-inline">
        <Said text={orderId ?? 'no id yet'} most={40} />
      </span>{' '}
      {state === 'working' ? null : (
        <Badge tone={state === 'in-doubt' ? 'bad' : 'neutral'}>{plain(state, 16)}</Badge>
      )}
    </li>
  );
}

function More({ count: more }: { readonly count: number }) {
  return more > 0 ? <li>and {more} more</li> : null;
}

function Params({ params }: Pick<PairStatus, 'params'>) {
  const entries = Object.entries(params).slice(0, 64);
  if (entries.length === 0) return null;
  return (
    <details class="params">
      <summary>Parameters ({entries.length})</summary>
      <dl class="facts">
        {entries.map(([name, value]) => (
          <Fact key={name} name={plain(name, 40)}>
            <Said text={value} most={64} />
          </Fact>
        ))}
      </dl>
    </details>
  );
}

/** A component of its own, so that only this is redrawn twice a second. */
function FeedAge({ ms }: { readonly ms: number | undefined }) {
  return <>{ageNow(ms, standing.value)}</>;
}

const count = (value: number): string => decimalText(String(value));

function price(text: string | undefined): string {
  return text === undefined ? '–' : decimalText(text);
}
