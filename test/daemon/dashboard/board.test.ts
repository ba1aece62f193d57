import { describe, expect, it } from 'vitest';
import type { DaemonEvent } from '../../../src/daemon/daemon-api.js';
import {
  type Board,
  type BoardMessage,
  emptyBoard,
  MOST,
  nextBoard,
} from '../../../src/daemon/dashboard/board.js';
import { statusFacts } from './facts.js';

const after = (...messages: readonly BoardMessage[]): Board => messages.reduce(nextBoard, emptyBoard(0));
const log = (time: number, text = `line ${time}`): DaemonEvent => ({
  kind: 'log',
  time,
  level: 'info',
  text,
});
const event = (given: DaemonEvent): BoardMessage => ({ kind: 'event', event: given });
const recentLogs = (...events: readonly DaemonEvent[]): BoardMessage => ({
  kind: 'recent',
  of: 'log',
  events,
});
const texts = ({ logs }: Board) => logs.map(({ text }) => text);

describe('facts', () => {
  it('are as old as the engine had been silent when they were sent', () => {
    const status = statusFacts();
    const board = after({ kind: 'status', status, at: 5_000, silentMs: 0 });
    expect(board).toMatchObject({ status, factsAt: 5_000 });
    expect(after({ kind: 'status', status, at: 5_000, silentMs: 1_200 }).factsAt).toBe(3_800);
  });

  it('of a hung engine do not become newer by being told again', () => {
    const hung = statusFacts({ state: 'hung' });
    const board = after(
      { kind: 'status', status: statusFacts(), at: 5_000, silentMs: 0 },
      { kind: 'status', status: hung, at: 9_000, silentMs: 3_900 },
      { kind: 'status', status: hung, at: 15_000, silentMs: 9_900 },
    );
    expect(board.factsAt).toBe(5_000);
    const revived = nextBoard(board, { kind: 'status', status: statusFacts(), at: 20_000, silentMs: 0 });
    expect(revived.factsAt).toBe(20_000);
  });
});

describe('lists of events', () => {
  it('keep the newest, each as many as its bound', () => {
    let board = emptyBoard(0);
    for (let i = 0; i < 10_000; i++) {
      board = nextBoard(board, event(log(i)));
      board = nextBoard(
        board,
        event({ kind: 'refusal', time: i, pair: 'P', rule: 'max-position', reason: 'too much' }),
      );
      board = nextBoard(board, event({ kind: 'resume', time: i, by: 'anna' }));
      board = nextBoard(
        board,
        event({ kind: 'fill', time: i, pair: 'P', side: 'buy', price: '1', quantity: '1', fee: '0' }),
      );
      board = nextBoard(board, event({ kind: 'equity', time: i, asset: 'USD', equity: '1' }));
    }
    expect(board.logs).toHaveLength(MOST.log);
    expect(board.refusals).toHaveLength(MOST.refusal);
    expect(board.happenings).toHaveLength(MOST.happening);
    expect(board.fills).toHaveLength(MOST.fill);
    expect(board.equity.get('USD')).toHaveLength(MOST.equity);
    expect(board.logs.at(-1)?.time).toBe(9_999);
    expect(board.logs[0]?.time).toBe(10_000 - MOST.log);
  });

  it('have a bound on assets too', () => {
    let board = emptyBoard(0);
    for (let i = 0; i < 100; i++) {
      board = nextBoard(board, event({ kind: 'equity', time: i, asset: `A${i}`, equity: '1' }));
    }
    expect(board.equity.size).toBe(MOST.assets);
  });

  it('hold what the daemon still knows, and after it what came meanwhile, each once', () => {
    const board = after(
      event(log(30)),
      event(log(31)),
      recentLogs(log(10), log(20), log(30)),
      event(log(40)),
    );
    expect(texts(board)).toEqual(['line 10', 'line 20', 'line 30', 'line 31', 'line 40']);
  });

  it('keep two different events of one millisecond', () => {
    const board = after(event(log(30, 'a')), event(log(30, 'b')), recentLogs(log(10), log(30, 'a')));
    expect(texts(board)).toEqual(['line 10', 'a', 'b']);
  });

  it('take what the daemon knows in place of what they had before a break', () => {
    const board = after(event(log(10, 'of an earlier life')), recentLogs(log(20), log(30)));
    expect(texts(board)).toEqual(['line 20', 'line 30']);
  });

  it('hold changes of state of every kind, in the order they came in', () => {
    const happenings: readonly DaemonEvent[] = [
      {
        kind: 'pair-state',
        time: 1,
        pair: 'P',
        state: 'SUSPECT',
        permission: 'reduce-only',
        reason: 'old reads',
      },
      { kind: 'venue', time: 2, reachable: false, reason: 'no answer' },
      { kind: 'halt', time: 3, halt: { level: 'pause', reason: 'lunch', by: 'anna' } },
      { kind: 'resume', time: 4, by: 'anna' },
      { kind: 'strategy-failed', time: 5, pair: 'P', reason: 'threw' },
      { kind: 'problem', time: 6, severity: 'critical', text: 'memory' },
    ];
    expect(after(...happenings.map(event)).happenings).toEqual(happenings);
    const recent = { kind: 'recent', of: 'change', events: happenings } as const;
    expect(after(event(happenings[0] as DaemonEvent), recent).happenings).toEqual(happenings);
  });

  it('keep the lines of assets apart', () => {
    const point = (time: number, asset: string): DaemonEvent => ({
      kind: 'equity',
      time,
      asset,
      equity: '1',
    });
    const board = after(
      event(point(30, 'USD')),
      { kind: 'recent', of: 'equity', events: [point(10, 'USD'), point(11, 'EUR'), point(20, 'USD')] },
      event(point(40, 'EUR')),
    );
    expect(board.equity.get('USD')?.map(({ time }) => time)).toEqual([10, 20, 30]);
    expect(board.equity.get('EUR')?.map(({ time }) => time)).toEqual([11, 40]);
  });
});
