const toSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Services whose embeds, forms and players stand in many posts. Their scripts, forms and frames are not reported. */
export const EMBED_HOSTS: readonly string[] = (
  'assets.pinterest.com bandcamp.com calendly.com challenges.cloudflare.com codepen.io ' +
  'cpwebassets.codepen.io connect.facebook.net disqus.com embed.ted.com embedr.flickr.com ' +
  'eventbrite.com facebook.com flourish.studio formspree.io gist.github.com giphy.com ' +
  'google.com googletagmanager.com hsforms.net imgur.com infogram.com instagram.com ' +
  'js.stripe.com jsfiddle.net list-manage.com mixcloud.com openstreetmap.org paypal.com ' +
  'paypalobjects.com platform.twitter.com platform.x.com player.vimeo.com reddit.com ' +
  'redditmedia.com scribd.com slideshare.net soundcloud.com spotify.com strava-embeds.com ' +
  'tiktok.com ttwstatic.com tumblr.com twitch.tv typeform.com wistia.com wistia.net ' +
  'youtube-nocookie.com youtube.com'
).split(' ');

/** Hosts from which people download programs. */
export const SOFTWARE_HOSTS = toSet(
  'adobe.com anaconda.com apache.org apple.com audacityteam.org blender.org debian.org ' +
    'docker.com dropbox.com f-droid.org gimp.org git-scm.com github.com githubusercontent.com ' +
    'gitlab.com gnu.org google.com inkscape.org jetbrains.com kde.org libreoffice.org ' +
    'microsoft.com mozilla.org nodejs.org obsproject.com oracle.com putty.org python.org ' +
    'rust-lang.org slack.com sourceforge.net steampowered.com ubuntu.com videolan.org ' +
    'visualstudio.com wordpress.org zoom.us',
);

/** Names that thieves of passwords imitate. None is shorter than five letters, or is an ordinary word. */
export const BRANDS = toSet(
  'adobe alibaba amazon americanexpress apple bankofamerica barclays binance bitfinex ' +
    'blockchain citibank coinbase dhlexpress docusign dropbox ebay facebook fedex github gmail ' +
    'google icloud instagram kraken linkedin mastercard metamask microsoft netflix office365 ' +
    'onedrive outlook paypal rabobank revolut roblox santander snapchat spotify steamcommunity ' +
    'telegram trustwallet twitter walmart wellsfargo whatsapp wordpress yahoo youtube',
);

/** Words that ask for a password or for money. */
export const LURES = toSet(
  'account accounts alert auth authenticate billing bonus confirm customer id invoice limited ' +
    'locked login logon notice pay payment password recover recovery refund resolution reward ' +
    'secure secured security service services signin suspended unlock update validate validation ' +
    'verification verify wallet webscr',
);

/** Hosts that give names of the form `brand.host` to anyone, openly. */
export const HOSTING = toSet(
  'github.io gitlab.io readthedocs.io stackexchange.com fandom.com wikia.com zendesk.com ' +
    'atlassian.net slack.com statuspage.io discourse.group wikipedia.org akamaihd.net ' +
    'akamaized.net cloudfront.net fastly.net edgekey.net gcs-web.com bamboohr.com greenhouse.io ' +
    'substack.com medium.com',
);

/** Brands that others openly use as names below their own host: pages about them, or their tools. */
export const SHARED_BRANDS = toSet(
  'adobe blockchain github gmail google outlook spotify telegram twitter wordpress yahoo youtube',
);

/** Hosts of well-known link shorteners. */
export const SHORTENERS: readonly string[] = (
  'bit.ly buff.ly cutt.ly goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly shorturl.at s.id t.co ' +
  't.ly tiny.cc tinyurl.com v.gd'
).split(' ');

/** Phrases in the titles of hijacked sites. Compared case-insensitively. */
export const TITLE_PHRASES = [
  'buy viagra',
  'cheap viagra',
  'buy cialis',
  'cheap cialis',
  'online casino',
  'payday loan',
  'replica watches',
  'hacked by',
  'porn video',
  'free porn',
  'essay writing service',
  'crypto giveaway',
] as const;

/** Passwords of at least eight characters that password guessers try first. Lower case. */
export const COMMON_PASSWORDS = toSet(
  '00000000 11111111 12341234 12345678 123456789 1234567890 123123123 87654321 88888888 ' +
    '987654321 1q2w3e4r 1q2w3e4r5t 1qaz2wsx abc12345 abcd1234 abcdefgh admin123 administrator ' +
    'asdfghjkl baseball changeme changeme1 computer dragon123 football hello123 iloveyou internet ' +
    'letmein1 letmein123 liverpool master123 michelle monkey123 p@ssw0rd passw0rd password ' +
    'password1 password12 password123 princess qwerty12 qwerty123 qwertyuiop secret123 starwars ' +
    'sunshine superman test1234 trustno1 welcome1 welcome123 whatever wachtwoord motdepasse ' +
    'azertyuiop geheim123 letmeinnow',
);
