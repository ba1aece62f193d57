import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CARDS } from '../contract/cards/index.js';
import { endpointRows } from './endpoint-rows.js';
import { cardsOf, type ResourceName } from './fields-page.js';
import { pages } from './pages.js';
import { SPEC_ENDPOINTS } from './spec-endpoints.js';
import { VENUE_FIELDS } from './venue-fields.js';

const RESOURCES = Object.keys(VENUE_FIELDS) as ResourceName[];

describe('the generated pages', () => {
  it.each(
    pages().map(({ path, text }) => [path, text] as const),
  )('%s is what npm run docs writes', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the table of endpoints', () => {
  it('has the 31 endpoints of the specification, each once', () => {
    expect(SPEC_ENDPOINTS).toHaveLength(31);
    expect(new Set(SPEC_ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).size).toBe(31);
    expect(SPEC_ENDPOINTS.filter(({ described }) => described)).toHaveLength(14);
  });

  it.each(
    endpointRows().map((row) => [row.endpoint, row] as const),
  )('%s has no empty cell', (endpoint, row) => {
    const { clientMethod, handler, command, cards } = row;
    const empty = Object.entries({ clientMethod, handler, command, cards }).filter(([, cell]) => cell === '');
    expect(empty.map(([name]) => `${endpoint}: ${name}`)).toEqual([]);
  });

  it.each(
    endpointRows().map((row) => [row.endpoint, row] as const),
  )('%s asks for the same credentials at the client and at the venue', (_endpoint, {
    spec,
    clientAuth,
    venueAuth,
  }) => {
    expect({ clientAuth, venueAuth }).toEqual({ clientAuth: spec.auth, venueAuth: spec.auth });
  });
});

describe('the table of fields', () => {
  const fields = RESOURCES.flatMap((resource) =>
    VENUE_FIELDS[resource].map((field) => [`${resource}.${field.name}`, resource, field] as const),
  );

  it.each(fields)('%s says what our venue puts there, and a card checks it', (name, resource, field) => {
    expect(field.what).not.toBe('');
    expect(
      cardsOf(resource, field).map(({ id }) => id),
      `no card checks ${name}`,
    ).not.toEqual([]);
  });

  it('has each field once', () => {
    const names = fields.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('the contract cards', () => {
  it('have each an id of its own, ascending', () => {
    const ids = CARDS.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    for (const id of ids) expect(id).toMatch(/^TC-\d{3}$/);
  });

  it('name endpoints of the specification and fields of the appendix only', () => {
    const endpoints = new Set(SPEC_ENDPOINTS.map(({ method, path }) => `${method} ${path}`));
    const fields = new Set(
      RESOURCES.flatMap((resource) => VENUE_FIELDS[resource].map(({ name }) => `${resource}.${name}`)),
    );
    const unknown = CARDS.flatMap((card) => [
      ...card.endpoints.filter((name) => !endpoints.has(name)).map((name) => `${card.id} ${name}`),
      ...(card.fields ?? []).filter((name) => !fields.has(name)).map((name) => `${card.id} ${name}`),
    ]);
    expect(unknown).toEqual([]);
  });
});
