/** A stop that rests at the venue: real processes, over sockets on loopback. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DaemonDesk, type DeskOptions, PAIR, withDesk } from './daemon-desk.js';
import { isAlive, KEYS, oneDocument, run, runJson, start, startVenue, until, withFolder } from './program.js';

/** Is long from the first price on, with a stop below it, and says so again at each trade. */
const stoppedAt = (fraction: number) => `import { defineStrategy, holdPosition } from 'tickwright';
export default defineStrategy({
  name: 'stopped',
  create(_, context) {
    let stop;
    return {
      onTrade({ price }) {
        if (context.warmingUp) return undefined;
        stop ??= price * ${fraction};
        return holdPosition(0.02, { stop });
      },
    };
  },
});
`;

/** So near that sales take the price there, and so far that its wandering does not before they are made. */
const NEAR = stoppedAt(0.997);

/** The price does not wander there, however slow the machine is. */
const FAR = stoppedAt(0.95);

/** The same, and so large that a daemon which may have 128 MiB ends at the first look at its memory. */
const LARGE = FAR.replace(
  'return {',
  `const ballast = new Uint8Array(${200 * 2 ** 20}).fill(1);
    return {
      onPosition: () => void ballast.fill(2, 0, 1),`,
);

/** The same, far from the market, and by its parameter without a stop. */
const kept = (name: string) => `import { defineStrategy, holdPosition, number } from 'tickwright';
export default defineStrategy({
  name: '${name}',
  params: { below: number({ default: 0.05, min: 0, max: 1 }) },
  create({ below }, context) {
    let stop;
    return {
      onTrade({ price }) {
        if (context.warmingUp) return undefined;
        stop ??= price * (1 - below);
        return below === 0 ? holdPosition(0.02) : holdPosition(0.02, { stop });
      },
    };
  },
});
`;

/** Wants nothing, and throws at the first trade from a time on. No session before it has seen one: a swap tries that first. */
const throwsFrom = (time: number) => `import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'broken',
  create: () => ({
    onTrade({ time }) {
      if (time > ${time}) throw new Error('no such luck');
      return undefined;
    },
  }),
});
`;

/** Longer than a swap takes, and less than the minute in which the strategy before takes its place again. */
const GOOD_FOR_MS = 30_000;

function stopped(folder: string, code = FAR): DeskOptions {
  const file = join(folder, 'stopped.ts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  return { folder, strategies: `  - { file: ${file}, pair: ${PAIR} }`, deposit: 'USD=5000000' };
}

/** At the venue, and by the daemon's own word. */
async function protectedLong(desk: DaemonDesk): Promise<string> {
  await desk.until(
    'a position and its stop',
    async () => (await desk.position()) === 0.02 && (await desk.triggers()).length === 1,
  );
  const [stop = ''] = await desk.triggers();
  await desk.said('both', ({ pairs: [pair] }) =>
    expect(pair).toMatchObject({
      state: 'SYNCED',
      position: '0.02',
      doubt: 0,
      working: [
        { side: 'sell', quantity: '0.02', triggerPrice: expect.any(String) as string, orderId: stop },
      ],
    }),
  );
  return stop;
}

it('closes the position while the bot is dead, and the next start knows it', () =>
  withFolder((folder) =>
    withDesk(stopped(folder, NEAR), async (desk) => {
      const pid = await desk.start();
      const stop = await protectedLong(desk);
      const trigger = Number((await desk.status()).pairs[0]?.working?.[0]?.triggerPrice);
      process.kill(pid, 'SIGKILL');
      await desk.until('the end', () => !isAlive(pid));
      // The street quotes anew after each, and the price wanders in between. No sale goes so far that nobody is left for
      // the position.
      await desk.until('the stop to fire', async () => {
        // The wandering alone may have been enough.
        if ((await desk.position()) === 0) return true;
        await desk.sellOff(20, 0.999 * trigger);
        return (await desk.position()) === 0;
      });
      expect(await desk.triggers()).toEqual([]);
      expect(await desk.statusOf(stop)).toBe('COMPLETED');
      await desk.start();
      await desk.said('what it is now', ({ pairs: [pair] }) =>
        expect(pair).toMatchObject({ state: 'SYNCED', doubt: 0 }),
      );
      const { code, stdout } = await desk.tickwright('stop', '--flat', '--json');
      expect(code).toBe(0);
      expect(oneDocument(stdout)).toMatchObject({ proven: true });
      expect(await desk.triggers()).toEqual([]);
      const sessions = readdirSync(join(desk.state, PAIR, 'capture'));
      expect(sessions).toHaveLength(2);
      for (const session of sessions) {
        const { code: verdict } = await run(['parity', join(desk.state, PAIR, 'capture', session)]);
        expect(verdict).toBe(0);
      }
    }),
  ));

it('is held over a crash until the next session has its own, and is canceled by a stop of the bot', () =>
  withFolder((folder) =>
    withDesk(stopped(folder), async (desk) => {
      const pid = await desk.start();
      const first = await protectedLong(desk);
      process.kill(pid, 'SIGKILL');
      await desk.until('the end', () => !isAlive(pid));
      await desk.start();
      await desk.until('a stop of its own', async () => {
        const waiting = await desk.triggers();
        // At no moment is there none.
        expect(waiting).not.toEqual([]);
        return waiting.length === 1 && waiting[0] !== first;
      });
      await protectedLong(desk);
      const { code, stdout } = await desk.tickwright('stop', '--json');
      expect(code).toBe(0);
      expect(oneDocument(stdout)).toMatchObject({ proven: true });
      expect(await desk.triggers()).toEqual([]);
      expect(await desk.position()).toBe(0.02);
    }),
  ));

it('is not told of as missing by a daemon whose position is closed next, for the reason that is given', () =>
  withFolder((folder) =>
    withDesk(stopped(folder), async (desk) => {
      await desk.start();
      await protectedLong(desk);
      const { code, stderr } = await desk.tickwright('stop', '--flat', '--reason', 'going fishing');
      expect(code, stderr).toBe(0);
      expect(await desk.triggers()).toEqual([]);
      expect(await desk.position()).toBe(0);
      expect(desk.log()).toContain('"reason":"going fishing"');
      expect(desk.log()).not.toContain('WITHOUT ITS STOP');
    }),
  ));

it('guards the position as the very same order while another session takes the place of this one', () =>
  withFolder((folder) => {
    mkdirSync(folder, { recursive: true });
    const [one, other, broken] = ['one', 'other', 'broken'].map((name) => join(folder, `${name}.ts`)) as [
      string,
      string,
      string,
    ];
    writeFileSync(one, kept('one'));
    writeFileSync(other, kept('other'));
    const strategies = `  - { file: ${one}, pair: ${PAIR} }`;
    return withDesk({ folder, strategies }, async (desk) => {
      await desk.start();
      let stop = await protectedLong(desk);
      const changes = [
        ['set', 'below=0.06'],
        ['swap', other, '--yes'],
        ['set', 'below=0.07'],
      ] as const;
      for (const [command, ...words] of changes) {
        const { code, stdout, stderr } = await desk.tickwright(
          command,
          ...words,
          '--no-certificate',
          '--json',
        );
        expect(code, stderr).toBe(0);
        expect(oneDocument(stdout)['done']).toContain(`${PAIR}: its stop ${stop} (sell 0.02 at `);
        await desk.until('a stop of its own', async () => {
          const waiting = await desk.triggers();
          return waiting.length === 1 && waiting[0] !== stop;
        });
        const next = await protectedLong(desk);
        // By the venue's own records the one was there before the other had gone.
        const [before, after] = [await desk.order(stop), await desk.order(next)];
        expect([before.status, after.status]).toEqual(['CANCELLED', 'UNTRIGGERED']);
        expect(before.time).toBeGreaterThanOrEqual(after.time);
        stop = next;
      }

      writeFileSync(broken, throwsFrom(Date.now() + GOOD_FOR_MS));
      const swapped = await desk.tickwright('swap', broken, '--yes', '--no-certificate');
      expect(swapped.code, swapped.stderr).toBe(0);
      await desk.until('the one before', async () => {
        const [pair] = (await desk.status()).pairs;
        const waiting = await desk.triggers();
        expect(waiting).not.toEqual([]);
        return pair?.strategy === 'other' && waiting.length === 1 && waiting[0] !== stop;
      });
      const again = await protectedLong(desk);
      expect((await desk.order(stop)).time).toBeGreaterThanOrEqual((await desk.order(again)).time);

      // A strategy that goes on without a stop keeps the one that it finds, and the status says so.
      const without = await desk.tickwright('set', 'below=0', '--no-certificate');
      expect(without.code, without.stderr).toBe(0);
      await desk.said('the stop that was left', ({ pairs: [pair] }) =>
        expect(pair).toMatchObject({
          state: 'SYNCED',
          position: '0.02',
          wanted: expect.stringMatching(/0\.02/) as string,
          working: [],
          leftStops: [{ orderId: again, side: 'sell', quantity: '0.02' }],
        }),
      );
      expect((await desk.tickwright('status')).stdout).toMatch(
        new RegExp(`stop +sell 0\\.02 at .* \\(${again}\\), left by an earlier session`),
      );
      expect(await desk.triggers()).toEqual([again]);
      const end = await desk.tickwright('stop', '--json');
      expect(oneDocument(end.stdout)).toMatchObject({
        proven: true,
        pairs: [{ bare: { position: '0.02', stops: [again] } }],
      });
      expect(await desk.triggers()).toEqual([]);
      const sessions = readdirSync(join(desk.state, PAIR, 'capture'));
      expect(sessions.length).toBeGreaterThanOrEqual(6);
      for (const session of sessions) {
        const { code: verdict, stdout } = await run(['parity', join(desk.state, PAIR, 'capture', session)]);
        expect(verdict, stdout).toBe(0);
      }
    });
  }));

it('stays at the venue when the daemon ends in order to be started anew', () =>
  withFolder((folder) =>
    withDesk(stopped(folder, LARGE), async (desk) => {
      const pid = await desk.start();
      const first = await protectedLong(desk);
      process.kill(pid, 'SIGKILL');
      await desk.until('the end', () => !isAlive(pid));
      const small = join(folder, 'small.yaml');
      writeFileSync(small, `${readFileSync(desk.config, 'utf8')}\ndaemon: { memory: 128MiB }\n`);
      const begin = ['start', '--config', small, '--live', '--no-certificate'];
      const { code, stderr } = await run(begin, { env: KEYS });
      expect(code, stderr).toBe(71);
      const [stop, ...others] = await desk.triggers();
      expect(others).toEqual([]);
      expect(stderr).toContain(`kept at the venue: ${PAIR}: stop ${stop} (sell 0.02 at `);
      expect(stderr).not.toContain('not proven');
      expect(await desk.position()).toBe(0.02);
      // Its end was in order: no sentinel has to act.
      expect(existsSync(join(desk.state, 'daemon.json'))).toBe(false);

      // Nor does a start that is refused leave the position bare: of its two pairs the venue has one.
      const typo = join(folder, 'typo.yaml');
      const text = readFileSync(desk.config, 'utf8');
      const [line = ''] = /^ +- \{ file: .*$/m.exec(text) ?? [];
      writeFileSync(typo, text.replace(line, `${line}\n${line.replace(PAIR, 'USD_XXX_PERP')}`));
      const refused = await run(['start', '--config', typo, '--live', '--no-certificate'], { env: KEYS });
      expect(refused.code, refused.stderr).toBe(78);
      const held = await desk.triggers();
      expect(held).toHaveLength(1);
      expect(refused.stderr).toContain(`kept at the venue: ${PAIR}: stop ${held[0]} (sell 0.02 at `);

      await desk.start();
      await desk.until('a stop of its own', async () => {
        const waiting = await desk.triggers();
        expect(waiting).not.toEqual([]);
        return waiting.length === 1 && waiting[0] !== held[0] && waiting[0] !== first;
      });
      await protectedLong(desk);
      expect((await desk.tickwright('stop', '--flat')).code).toBe(0);
      expect([await desk.triggers(), await desk.position()]).toEqual([[], 0]);
    }),
  ));

it('is told of by a session in the foreground that ends and leaves the position without it', () =>
  withFolder(async (folder) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'stopped.ts'), FAR);
    const { url, running } = await startVenue(['--synthetic', '1']);
    try {
      const options = ['--live', '--venue', url, '--warm-up', '1m', '--journal', 'bot', '--json'];
      const live = start(['run', 'stopped.ts', ...options], { cwd: folder, env: KEYS });
      const at = ['--venue', url, '--json'];
      const waiting = async () =>
        (await runJson(['triggers', ...at], { env: KEYS }))['triggers'] as readonly { readonly id: string }[];
      await until(
        'a stop',
        async () => (await waiting()).length === 1,
        () => live.words(),
      );
      const [stop] = await waiting();
      live.child.kill('SIGTERM');
      const { code, stdout, stderr } = await live.ended;
      expect(code).toBe(143);
      const result = oneDocument(stdout);
      expect(result).toMatchObject({ position: '0.02', canceledStops: [stop?.id] });
      const { heldMs, bareMs } = result['protection'] as Readonly<Record<'heldMs' | 'bareMs', number>>;
      expect(bareMs).toBeLessThan(heldMs);
      expect(stderr).toContain(`left WITHOUT ITS STOP, which was canceled (${stop?.id})`);
      expect(await waiting()).toEqual([]);
    } finally {
      running.child.kill('SIGKILL');
    }
  }));
