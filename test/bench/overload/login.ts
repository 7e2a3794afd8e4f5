/** Password of the first user, who writes. */
export const PASSWORD = 'adminpass';
export const AS_ADMIN = { Authorization: `Basic ${Buffer.from(`author1:${PASSWORD}`).toString('base64')}` };
