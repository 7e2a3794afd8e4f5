# A site behind Varnish, with varnish-modules. TLS ends in front of it, such as in hitch or nginx. The second address takes purges, from
# deploy/purge.mjs on this machine alone:
#   varnishd -f varnish.vcl -a :6081 -a purge=127.0.0.1:6082
# The site says what a response shows: "cache": { "tags": "xkey", "sharedMaxAge": 3600 } in its configuration (docs/changes.md).
vcl 4.1;
import xkey;

backend default {
  .host = "127.0.0.1";
  .port = "8787";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (local.socket != "purge" || !req.http.xkey-purge) {
      return (synth(405));
    }
    return (synth(200, "purged " + xkey.purge(req.http.xkey-purge)));
  }
  # Responses to callers with a login or a cookie are neither stored nor taken from the cache, and streams are passed on.
  if (req.http.Authorization || req.http.Cookie || req.http.X-WP-Nonce || req.http.X-CMS-Nonce || req.url ~ "/changes/v1/") {
    return (pass);
  }
}

sub vcl_backend_response {
  # No event would purge a response without tags.
  if (!beresp.http.xkey) {
    set beresp.uncacheable = true;
    set beresp.ttl = 120s;
  }
  # What is too old is not sent while the site is asked again.
  set beresp.grace = 0s;
}

sub vcl_deliver {
  # Caches beyond this one get no purges: they ask again with the ETag.
  if (resp.http.xkey) {
    unset resp.http.xkey;
    set resp.http.Cache-Control = "max-age=0, must-revalidate";
  }
}
