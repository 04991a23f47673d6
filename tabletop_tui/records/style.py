"""How the page of a record looks: light and dark, on a screen and on paper."""

CSS = """\
:root {
  --paper: #fbf9f4; --ink: #24211c; --soft: #6b655a; --rule: #e2dccf; --card: #fffdf8; --accent: #8c3b1b;
  --l0: #0b63a5; --l1: #b3390f; --l2: #1c7c54; --l3: #7a3fa0; --warn: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181b; --ink: #e9e4da; --soft: #a39c8f; --rule: #34353a; --card: #1f2125; --accent: #f0a37f;
    --l0: #6db7f2; --l1: #ff9a70; --l2: #68cf9f; --l3: #cc9cf0; --warn: #f0c060;
  }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); }
body {
  max-width: 48rem; margin: 0 auto; padding: 3.5rem 1.25rem 5rem; font-size: 1rem; line-height: 1.55;
  font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere;
}
h1, h2, h3, .about, .note p {
  font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
}
h1 { font-size: 2.6rem; line-height: 1.1; margin: .2rem 0 .8rem; letter-spacing: -.01em; }
h2 {
  font-size: 1.6rem; line-height: 1.2; margin: 3.2rem 0 .6rem; padding-top: .9rem; border-top: 1px solid var(--rule);
}
h3 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; color: var(--accent); }
a { color: var(--accent); text-underline-offset: .15em; }
.over { margin: 0; color: var(--accent); font-size: .8rem; letter-spacing: .09em; text-transform: uppercase; }
.facts { list-style: none; margin: 0; padding: 0; color: var(--soft); font-size: .92rem; }
.facts li { display: inline; }
.facts li + li::before { content: " · "; }
.warning {
  margin: 1.2rem 0 0; padding: .6rem .9rem; border-left: .25rem solid var(--warn); background: var(--card);
}
nav {
  margin: 2.2rem 0 0; padding: 1rem 1.3rem; background: var(--card); border: 1px solid var(--rule);
  border-radius: .5rem;
}
nav ol { margin: 0; padding-left: 1.5rem; }
nav li::marker { color: var(--soft); font-variant-numeric: tabular-nums; }
nav small { color: var(--soft); white-space: nowrap; }
nav p { margin: .5rem 0 0; }
nav p:empty, nav ol:empty { display: none; }
.no { color: var(--soft); font-weight: normal; font-size: .8em; margin-right: .2em; }
.about { margin: 0 0 1.2rem; font-style: italic; font-size: 1.08rem; color: var(--soft); max-width: 38rem; }
.beats { list-style: none; margin: 0; padding: 0; }
.beat { display: grid; grid-template-columns: 3.4rem 1fr; padding: .28rem 0; break-inside: avoid; }
.beat time { color: var(--soft); font-size: .8rem; line-height: 1.95; font-variant-numeric: tabular-nums; }
.beat p { margin: 0; }
.beat p + p { color: var(--soft); }
.beat:target { background: var(--card); outline: 1px solid var(--rule); outline-offset: .3rem; }
.by { font-weight: 600; }
.by::after { content: ":"; }
.note p:first-child:not(.whisper) { font-size: 1.1rem; border-left: .18rem solid var(--accent); padding-left: .8rem; }
.edit p::before { content: "✎ "; }
.quiet { color: var(--soft); font-style: italic; }
.beat .whisper, .beat p + .whisper { color: var(--ink); border-left: .12rem dashed var(--soft); padding-left: .7rem; }
.tag {
  font-size: .66rem; letter-spacing: .06em; border: 1px solid var(--soft); border-radius: .25rem;
  padding: .05rem .3rem; color: var(--soft); vertical-align: .1em;
}
.dice { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .25rem 0 .15rem; font-size: .85rem; }
.hand { display: inline-flex; flex-wrap: wrap; align-items: center; gap: .22rem; }
.why { color: var(--soft); margin-right: .15rem; }
.size { color: var(--soft); font-size: .72rem; margin-left: .15rem; }
.die {
  min-width: 1.5rem; padding: 0 .25rem; text-align: center; border: 1px solid var(--soft); border-radius: .35rem;
  background: var(--card); font-weight: 600; font-size: .82rem; line-height: 1.4rem;
  font-variant-numeric: tabular-nums;
}
.back { color: var(--soft); font-style: italic; margin-top: 2rem; }
figure { margin: 1.2rem 0 2rem; }
.chart { display: block; width: 100%; height: auto; }
.grid { stroke: var(--rule); fill: none; }
.scene { stroke: var(--soft); stroke-dasharray: 1 4; fill: none; }
.tick { fill: var(--soft); font-size: 11px; font-family: inherit; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.mark { stroke: var(--paper); stroke-width: 1; }
.l0 { stroke: var(--l0); }
.l1 { stroke: var(--l1); stroke-dasharray: 7 4; }
.l2 { stroke: var(--l2); stroke-dasharray: 2 3; }
.l3 { stroke: var(--l3); stroke-dasharray: 9 3 2 3; }
.m0 { fill: var(--l0); }
.m1 { fill: var(--l1); }
.m2 { fill: var(--l2); }
.m3 { fill: var(--l3); }
.sign { vertical-align: -.1em; margin-right: .35rem; }
.dial { vertical-align: -.05em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 1rem; font-size: .92rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8rem; }
th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.n:last-child { padding-right: 0; }
.undone { opacity: .6; }
#short ul { margin: 0 0 1rem; padding-left: 1.2rem; }
.fine { color: var(--soft); font-size: .85rem; }
@media (max-width: 34rem) {
  body { padding-top: 2rem; }
  h1 { font-size: 2rem; }
  .beat { grid-template-columns: 2.9rem 1fr; }
}
@media print {
  :root {
    --paper: #fff; --ink: #000; --soft: #555; --rule: #ccc; --card: #fff; --accent: #5c2409;
    --l0: #0b63a5; --l1: #b3390f; --l2: #1c7c54; --l3: #7a3fa0; --warn: #8a5a00;
  }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav { break-after: avoid; }
  h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
}
"""
