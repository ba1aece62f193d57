/**
 * The only style sheet of a report; the page's security policy forbids any other. Light or dark as the reader prefers.
 */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--ink:#1b1e24;--soft:#5b6270;--rule:#e3e5ea;--accent:#2458c5;--band:#2458c52e;--up:#0b7a4b;--down:#b3261e;--hold:#8a6d1f;--warn:#fff4d6;--warnink:#5c4400;--p1:#b4540a;--p2:#0b7a4b;--p3:#7b3bb0;--p4:#8a6d1f}
@media (prefers-color-scheme:dark){:root{--bg:#101318;--card:#171b22;--ink:#e6e9ef;--soft:#a0a8b6;--rule:#2a303b;--accent:#7ea6ff;--band:#7ea6ff33;--up:#4cc38a;--down:#ff8178;--hold:#d9b65b;--warn:#3a2f10;--warnink:#ffe3a0;--p1:#f0954a;--p2:#4cc38a;--p3:#c396f0;--p4:#d9b65b}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main,header,footer{max-width:1180px;margin:0 auto;padding:0 16px}
header{padding-top:24px}
h1{font-size:22px;margin:0 0 2px}
h2{font-size:17px;margin:0 0 10px}
.sub{color:var(--soft);margin:0}
.headline{font-size:20px;margin:14px 0 4px;padding:12px 16px;border-radius:10px;background:var(--card);border:1px solid var(--rule)}
.headline strong{display:block;font-size:26px;line-height:1.25;font-variant-numeric:tabular-nums}
.verdict{text-transform:uppercase;letter-spacing:.06em;font-size:13px;font-weight:700}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:16px;margin:14px 0;min-width:0}
.grid2{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(460px,100%),1fr));gap:14px}
.grid2{margin:14px 0}
.grid2 section{margin:0}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(158px,1fr));gap:8px 16px;margin:0}
dt{color:var(--soft);font-size:12.5px}
dd{margin:0;font-variant-numeric:tabular-nums;font-weight:600}
dd small,.note{color:var(--soft);font-weight:400;font-size:13px}
.note{margin:8px 0 0}
.up{color:var(--up)}.down{color:var(--down)}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--soft);font:8.5px system-ui,sans-serif}
.grid2 svg text{font-size:15px}
path,line{vector-effect:non-scaling-stroke}
.grid{stroke:var(--rule)}
.line{fill:none;stroke:var(--accent);stroke-width:1.6}
.hold{fill:none;stroke:var(--hold);stroke-width:1.2;stroke-dasharray:4 3}
.price{fill:none;stroke:var(--soft);stroke-width:1}
.stop{fill:none;stroke:var(--hold);stroke-width:1.6}
.band{fill:var(--band)}.under{fill:var(--down);opacity:.35}
.p0,.p1,.p2,.p3,.p4,.p5{fill:none;stroke-width:1.6}.p0{stroke:var(--accent)}.p1{stroke:var(--p1);stroke-dasharray:7 3}.p2{stroke:var(--p2);stroke-dasharray:2 3}.p3{stroke:var(--p3);stroke-dasharray:10 3 2 3}.p4{stroke:var(--p4);stroke-dasharray:4 4}.p5{stroke:var(--soft)}
.p0-key{fill:var(--accent)}.p1-key{fill:var(--p1)}.p2-key{fill:var(--p2)}.p3-key{fill:var(--p3)}.p4-key{fill:var(--p4)}.p5-key{fill:var(--soft)}
.win{fill:var(--up)}.lose{fill:var(--down)}circle.win,circle.lose{opacity:.65}
.zero{stroke:var(--soft)}
.line-key{fill:var(--accent)}.band-key{fill:var(--band)}.hold-key{fill:var(--hold)}.price-key{fill:var(--soft)}.stop-key{fill:var(--hold)}.win-key{fill:var(--up)}.lose-key{fill:var(--down)}.under-key{fill:var(--down);opacity:.35}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:6px 0 0;color:var(--soft);font-size:13px}
.legend span{display:inline-flex;align-items:center;gap:6px}
.key{width:14px;height:10px;flex:none}
.scroll{overflow-x:auto}
.scroll:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{padding:4px 10px 4px 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--rule)}
th{color:var(--soft);font-weight:600}
.t{text-align:left}
td.h1,td.h2,td.h3,td.h4,td.l1,td.l2,td.l3,td.l4{padding:4px 8px}
.heat td{border:1px solid var(--card);text-align:center}
.h1{background:color-mix(in srgb,var(--up) 12%,transparent)}.h2{background:color-mix(in srgb,var(--up) 26%,transparent)}.h3{background:color-mix(in srgb,var(--up) 42%,transparent)}
.l1{background:color-mix(in srgb,var(--down) 12%,transparent)}.l2{background:color-mix(in srgb,var(--down) 26%,transparent)}.l3{background:color-mix(in srgb,var(--down) 42%,transparent)}
details{margin-top:8px}
summary{cursor:pointer;color:var(--accent);font-size:13.5px}
.warn{background:var(--warn);color:var(--warnink);border-color:transparent}
.warn ul{margin:0;padding-left:18px}
footer{color:var(--soft);font-size:13px;padding-bottom:40px}
footer li{margin:2px 0}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12.5px}
@media (max-width:480px){body{font-size:14px}main,header,footer{padding:0 10px}section{padding:12px}.headline strong{font-size:21px}.facts{grid-template-columns:repeat(2,minmax(0,1fr))}svg text,.grid2 svg text{font-size:22px}}
@media (min-width:481px) and (max-width:900px){svg text{font-size:13px}}
@media print{section{break-inside:avoid}}
`;
