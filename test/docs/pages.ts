/** The generated pages of docs/. */
import { publishedFigures } from '../model-range/measured-code.js';
import { modelRangePage } from '../model-range/page.js';
import { endpointsPage } from './endpoints-page.js';
import { fieldsPage } from './fields-page.js';
import { moneyPage } from './money-page.js';

export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export function pages(): readonly Page[] {
  return [
    { path: 'docs/endpoints.md', text: endpointsPage() },
    { path: 'docs/venue-fields.md', text: fieldsPage() },
    { path: 'docs/money-examples.md', text: moneyPage() },
    { path: 'docs/model-range.md', text: modelRangePage(publishedFigures()) },
  ];
}
