import { noticeOf } from '../../daemon/alerts/alert-line.js';
import type { Delivery } from '../../daemon/alerts/notifier.js';
import { UsageError } from '../../model/errors.js';
import { alertLines, alertSource } from '../daemon/alerts.js';
import { readSettings } from '../settings/settings.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { thisMachine } from '../machine.js';
import { printJson, printText } from '../view/output.js';

export interface AlertOptions {
  readonly test: true;
  readonly config?: string | undefined;
  readonly json?: true | undefined;
}

/** Sends one alert to each configured receiver. Exit code 3 unless all of them accepted it. */
export async function alert(options: AlertOptions): Promise<ExitCode> {
  const machine = thisMachine();
  const settings = await readSettings(machine, options.config);
  const lines = await alertLines(machine, settings);
  if (lines.length === 0) {
    throw new UsageError(
      'TICKWRIGHT_E_ALERTS',
      `alerts in ${settings.file ?? 'a configuration'} must name at least one receiver, received none`,
    );
  }
  const { clock, scrubber } = machine;
  const notice = noticeOf(
    {
      kind: 'start',
      severity: 'info',
      key: undefined,
      phase: 'event',
      title: 'this is a test: alerts of this bot arrive here',
      lines: [],
      time: clock.wall(),
    },
    { source: alertSource(settings.mode, settings.state), scrub: (text) => scrubber.scrub(text) },
  );
  const receivers = await Promise.all(
    lines.map(async ({ notifier }) => {
      const delivery = await notifier.send(notice);
      await notifier.close();
      return { to: notifier.name, ...resultOf(delivery) };
    }),
  );
  if (options.json === true) await printJson({ receivers });
  else {
    await printText(receiversText(receivers));
  }
  return receivers.every(({ delivered }) => delivered) ? EXIT.ok : EXIT.checkFailed;
}

export function receiversText(
  receivers: readonly ({ readonly to: string } & ReturnType<typeof resultOf>)[],
): string {
  return receivers
    .map(({ to, ...rest }) => `${to}: ${rest.delivered ? 'delivered' : rest.reason}`)
    .join('\n');
}

function resultOf(delivery: Delivery) {
  return delivery.kind === 'delivered'
    ? ({ delivered: true } as const)
    : ({ delivered: false, reason: delivery.reason } as const);
}
