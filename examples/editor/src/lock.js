import apiFetch from '@wordpress/api-fetch';
import { doAction } from '@wordpress/hooks';

/** As in the editor of WordPress. The site keeps a lock for 150 seconds. */
const BEAT_MS = 10_000;

const ask = (id, options) => apiFetch({ path: `/editor/v1/locks/${id}`, ...options });

/** Keeps the lock, and tells the editor who has taken it over, as the heartbeat of WordPress does. */
function keep(id) {
  const beat = async () => {
    const { mine, name } = await ask(id, { method: 'PUT' });
    if (mine) return;
    clearInterval(timer);
    doAction('heartbeat.tick', { 'wp-refresh-post-lock': { lock_error: { name } } });
  };
  const timer = setInterval(() => beat().catch(console.warn), BEAT_MS);
  addEventListener('pagehide', () => ask(id, { method: 'DELETE', keepalive: true }));
}

/** Takes the lock of a record. @returns what the editor shows of it */
export async function takeLock(id) {
  // The editor's button "Take over" opens this address. A link on another site takes over nothing.
  const isForced = location.search.includes('get-post-lock') && document.referrer.startsWith(location.origin);
  const { mine, name } = await ask(id, { method: 'PUT', data: { take_over: isForced } });
  if (isForced) history.replaceState(null, '', `?post=${id}&action=edit`);
  if (mine) keep(id);
  return { postLock: { isLocked: !mine, user: { name } }, postLockUtils: {} };
}
