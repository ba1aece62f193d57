import { COMMAND_ENDPOINTS } from '../../src/cli/command-endpoints.js';
import { ENDPOINTS as CLIENT_ENDPOINTS } from '../../src/client/endpoints.js';
import { WITHDRAW } from '../../src/client/withdraw.js';
import { ACCOUNT_ENDPOINTS } from '../../src/venue/http/account-endpoints.js';
import { MARGIN_ENDPOINTS } from '../../src/venue/http/margin-endpoints.js';
import { ORDER_ENDPOINTS } from '../../src/venue/http/order-endpoints.js';
import { PUBLIC_ENDPOINTS } from '../../src/venue/http/public-endpoints.js';
import { ENDPOINTS as VENUE_ENDPOINTS } from '../../src/venue/http/routes.js';
import { WALLET_ENDPOINTS } from '../../src/venue/http/wallet-endpoints.js';
import { CARDS } from '../contract/cards/index.js';
import { cardList } from './card-list.js';
import { SPEC_ENDPOINTS, type SpecEndpoint } from './spec-endpoints.js';

/** One endpoint and what reaches it, each cell from the table of whoever does it; empty where nobody does. */
export interface EndpointRow {
  readonly endpoint: string;
  readonly spec: SpecEndpoint;
  readonly clientMethod: string;
  readonly clientAuth: string;
  readonly handler: string;
  readonly venueAuth: string;
  readonly command: string;
  readonly cards: string;
}

const MODULES = [
  ['public-endpoints.ts', PUBLIC_ENDPOINTS],
  ['account-endpoints.ts', ACCOUNT_ENDPOINTS],
  ['order-endpoints.ts', ORDER_ENDPOINTS],
  ['margin-endpoints.ts', MARGIN_ENDPOINTS],
  ['wallet-endpoints.ts', WALLET_ENDPOINTS],
] as const;

interface ClientEntry {
  readonly method: string;
  readonly path: string;
  readonly auth: string;
  readonly call: string;
}

const CLIENT: readonly ClientEntry[] = [
  ...Object.values(CLIENT_ENDPOINTS.public),
  ...Object.values(CLIENT_ENDPOINTS.key),
  ...Object.values(CLIENT_ENDPOINTS.writes),
  WITHDRAW,
];

/** The one call of the client that the main client does not have. */
const methodText = ({ call }: ClientEntry) =>
  call === WITHDRAW.call ? 'createWithdrawClient().withdraw' : call;

export function endpointRows(): readonly EndpointRow[] {
  return SPEC_ENDPOINTS.map((spec) => {
    const { method, path } = spec;
    const isIt = (other: { readonly method: string; readonly path: string }) =>
      other.method === method && other.path === path;
    const client = CLIENT.find(isIt);
    const venue = VENUE_ENDPOINTS.find(isIt);
    const module = MODULES.find(([, endpoints]) => endpoints.some(isIt))?.[0];
    const endpoint = `${method} ${path}`;
    return {
      endpoint,
      spec,
      clientMethod: client === undefined ? '' : methodText(client),
      clientAuth: client?.auth ?? '',
      handler: venue === undefined || module === undefined ? '' : handlerText(module, venue.answer.name),
      venueAuth: venue?.access ?? '',
      command: COMMAND_ENDPOINTS.filter(isIt)
        .map(({ command }) => `\`${command}\``)
        .join(', '),
      cards: cardList(CARDS.filter((card) => card.endpoints.includes(endpoint))),
    };
  });
}

/** A handler that another function makes has no name of its own. */
function handlerText(module: string, name: string): string {
  const file = `src/venue/http/${module}`;
  return name === '' || name === 'answer' ? `\`${file}\`` : `\`${file}\`: ${name}`;
}
