/** The one stylesheet, which stands in each page, so that a page is one request. It loads nothing and follows the colours that the visitor prefers. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--soft:#5a5f66;--line:#d5d8dc;--link:#0a4fb3;--field:#fff;--edge:#767b82}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e6e7e9;--soft:#a9aeb5;--line:#3a3e44;--link:#8fbaff;--field:#1f2226;--edge:#8a9098}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:44rem;padding:0 1.25rem;background:var(--paper);color:var(--ink);font:1.125rem/1.65 Georgia,"Times New Roman",serif;overflow-wrap:break-word}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,input:focus-visible,button:focus-visible{outline:3px solid var(--link);outline-offset:2px}
main:focus{outline:none}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--paper)}
body>header,body>footer,nav,.meta,.terms,form{font-family:system-ui,sans-serif;font-size:1rem;line-height:1.5}
body>header{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;padding:1.25rem 0;border-bottom:1px solid var(--line)}
body>header>a{margin-right:auto;color:var(--ink);font-weight:600;text-decoration:none}
body>header>a:hover{text-decoration:underline}
body>footer{margin-top:4rem;padding:1rem 0 2rem;border-top:1px solid var(--line);color:var(--soft)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0;list-style:none}
nav a,.terms a,body>header>a,body>footer a{display:inline-block;padding:.2rem 0}
nav [aria-current]{color:var(--ink);text-decoration:none;font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
[role=search] label span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
input,button{min-height:2.5rem;padding:.25rem .75rem;border:1px solid var(--edge);border-radius:.25rem;background:var(--field);color:var(--ink);font:inherit}
input{width:12rem;max-width:100%}
button{cursor:pointer}
h1,h2,h3,h4,h5,h6{margin:2em 0 .5em;line-height:1.25;text-wrap:balance}
h1{margin-top:1.25em;font-size:clamp(1.75rem,1.3rem + 2vw,2.4rem)}
h2{font-size:1.4rem}
h3{font-size:1.2rem}
h4,h5,h6{font-size:1.05rem}
h1+.meta,h2+.meta{margin-top:-.25em}
article h2:first-child{margin-bottom:.25em}
article h2:first-child+*{margin-top:0}
.meta,.terms{color:var(--soft)}
.terms{margin-top:2.5rem}
.pager{display:flex;flex-wrap:wrap;gap:1rem;justify-content:space-between;margin-top:3rem}
img,video,iframe,svg{max-width:100%}
img,video{height:auto}
figure{margin:2rem 0}
figcaption,cite{color:var(--soft);font-size:1rem}
blockquote{margin:2rem 0;padding-left:1.25rem;border-left:3px solid var(--line)}
hr{margin:2.5rem 0;border:0;border-top:1px solid var(--line)}
pre,code{font-size:.95em}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-size:1rem}
th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
.alignleft{float:left;margin:.5rem 1.5rem 1rem 0}
.alignright{float:right;margin:.5rem 0 1rem 1.5rem}
.aligncenter{margin-inline:auto;text-align:center}
`.replaceAll('\n', '');
