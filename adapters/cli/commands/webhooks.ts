import { OutboundRefused } from '../../../registry/site.ts';
import { createOutbound } from '../../outbound.ts';
import { defineCommand } from '../frame/command.ts';
import { splitList, toCount, toSiteUrl, UsageError } from '../frame/options.ts';
import { JSON_SWITCH, note, print, printJson, toTable } from '../frame/output.ts';
import { type Ask, asOperator } from '../site/as-operator.ts';
import { SITE_OPTIONS, type SiteValues } from '../site/site-options.ts';

/** A receiver as the interface shows it. `secret`: only when it was made. */
interface ShownReceiver {
  readonly id: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly secret?: string;
}

interface ShownDelivery {
  readonly id: number;
  readonly event: string;
  readonly state: string;
  readonly attempts: readonly { readonly at: string; readonly status: number; readonly reason: string }[];
}

const RECEIVERS = '/changes/v1/receivers';
const ID = { help: 'Id of the receiver: "routebook webhooks list" shows it.' };

const pathOf = (id: string): string =>
  `${RECEIVERS}/${toCount('ID', id, { least: 0, most: Number.MAX_SAFE_INTEGER })}`;

/** A site that has receivers has the plugin. */
const ask = <T>(values: SiteValues, use: (ask: Ask) => Promise<T>): Promise<T> =>
  asOperator(
    { ...values, plugins: values.plugins === undefined ? 'changes' : `${values.plugins},changes` },
    use,
  );

export const webhooksList = defineCommand({
  operands: {},
  options: { ...SITE_OPTIONS, json: JSON_SWITCH },
  async run({ values: { json, ...values } }) {
    const receivers = (await ask(values, (request) => request(RECEIVERS))) as readonly ShownReceiver[];
    if (json) printJson(receivers);
    else if (receivers.length === 0) note('The site has no receivers of events.');
    else
      print(
        toTable([
          ['id', 'active', 'events', 'url'],
          ...receivers.map(({ id, active, events, url }) => [
            String(id),
            active ? 'yes' : 'no',
            events.join(','),
            url,
          ]),
        ]),
      );
  },
});

export const webhooksAdd = defineCommand({
  description: ['Its secret is printed once, on standard output alone (docs/changes.md).'],
  operands: { url: { help: 'Public address that gets the events.' } },
  options: {
    ...SITE_OPTIONS,
    events: { value: 'NAMES', default: '*', help: 'Comma-separated events, such as post.published,term.*.' },
    'site-url': { value: 'URL', help: 'Address of the site, with which links in events begin. Required.' },
  },
  examples: [
    [
      "routebook webhooks add https://build.example/hook --events 'post.*' --site-url https://example.org > secret",
      'the file holds the secret',
    ],
  ],
  async run({ operands: { url }, values: { events, 'site-url': siteUrl, ...values } }) {
    if (siteUrl === undefined) throw new UsageError('--site-url is required: the public address of the site');
    const site = toSiteUrl('site-url', siteUrl);
    // The site of a command sends nothing, so that it cannot check addresses itself.
    await createOutbound()({ url, checkOnly: true }).catch((error: unknown) => {
      throw new UsageError(
        `URL: the site may not call this address: ${error instanceof OutboundRefused ? error.fault : String(error)}`,
        { cause: error },
      );
    });
    const { id, secret = '' } = (await ask(values, (request) =>
      request(RECEIVERS, { method: 'POST', siteUrl: site, body: { url, events: splitList(events) } }),
    )) as ShownReceiver;
    note(
      `Added receiver ${id}. It gets the events of a site with the plugin changes: routebook serve --plugins changes. Its secret, shown this once:`,
    );
    print(secret);
  },
});

export const webhooksRemove = defineCommand({
  operands: { id: ID },
  options: SITE_OPTIONS,
  async run({ operands: { id }, values }) {
    await ask(values, (request) => request(pathOf(id), { method: 'DELETE' }));
    note(`Removed receiver ${id}.`);
  },
});

export const webhooksAttempts = defineCommand({
  operands: { id: ID },
  options: {
    ...SITE_OPTIONS,
    most: { value: 'N', default: '10', help: 'Number of deliveries, 1 to 100.' },
    json: JSON_SWITCH,
  },
  async run({ operands: { id }, values: { json, most, ...values } }) {
    const count = toCount('most', most, { least: 1, most: 100 });
    const deliveries = (await ask(values, (request) =>
      request(`${pathOf(id)}/deliveries?per_page=${count}`),
    )) as readonly ShownDelivery[];
    if (json) printJson(deliveries);
    else if (deliveries.length === 0) note(`Nothing was sent to receiver ${id}.`);
    else
      print(
        toTable([
          ['delivery', 'event', 'state', 'at', 'result'],
          ...deliveries.flatMap(({ id: delivery, event, state, attempts }) =>
            (attempts.length === 0 ? [null] : attempts).map((attempt) => [
              String(delivery),
              event,
              state,
              attempt?.at ?? '',
              attempt === null ? '' : attempt.reason || String(attempt.status),
            ]),
          ),
        ]),
      );
  },
});

export const webhooksRedeliver = defineCommand({
  operands: { id: ID, delivery: { help: 'Id of the delivery: "routebook webhooks attempts" shows it.' } },
  options: SITE_OPTIONS,
  async run({ operands: { id, delivery }, values }) {
    const number = toCount('DELIVERY', delivery, { least: 1, most: Number.MAX_SAFE_INTEGER });
    await ask(values, (request) =>
      request(`${pathOf(id)}/deliveries/${number}/redeliver`, { method: 'POST' }),
    );
    note(`The server sends delivery ${delivery} again.`);
  },
});
