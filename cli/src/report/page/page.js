"use strict";
// Draws the report that stands in this page. Every text goes through `textContent`: a report is data, never markup.

const report = JSON.parse(document.getElementById("report").textContent);
const changes = JSON.parse(document.getElementById("changes").textContent);
/** The texts of the page in its language; null where that is English. */
const translations = JSON.parse(document.getElementById("words").textContent);

/** Returns a text in the language of the page, with a value in place of each `{}`, or `{2}` for the second one. */
function say(text, ...values) {
  let next = 0;
  return (translations?.[text] ?? text).replace(/\{(\d*)\}/g, (_, place) => values[place ? place - 1 : next++]);
}

/** Says the texts that stand in the page itself. */
function sayPage() {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const text = nodes.currentNode.data.trim();
    if (translations?.[text]) nodes.currentNode.data = nodes.currentNode.data.replace(text, say(text));
  }
  const find = document.getElementById("find");
  find.placeholder = say(find.placeholder);
}

/** Makes an element with properties and children. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const count = (number) => number.toLocaleString("en");
const units = (ulps) => (Number.isInteger(ulps) ? count(ulps) : ulps === null ? "∞" : ulps.toPrecision(2));
const sum = (cells, kind) => cells.reduce((total, cell) => total + cell.counts[kind], 0);

/** The checks of the memory that an operator keeps which failed. */
const kept = (operator) => report.behaviour.filter((one) => one.name === `behaviour/memory-of-${operator.name}` && !["right", "skipped"].includes(one.outcome));

/** How many cases and checks of an operator failed. */
const broken = (operator) => sum(operator.cells, "failed") + kept(operator).length;

/** The state of an operator. */
const whole = (operator) => (broken(operator) ? "failed" : state(operator.cells));

/** The state of cells: the worst one wins. */
function state(cells) {
  if (sum(cells, "failed")) return "failed";
  if (sum(cells, "right")) return cells.some((cell) => cell.ulps !== 0) ? "close" : "right";
  return sum(cells, "refused") ? "refused" : "absent";
}

const words = {
  right: "right, to the last bit", close: "right, within the tolerance", refused: "refused, as predicted for this product",
  failed: "failed", absent: "absent from this release",
};
const kinds = {
  wrong: "wrong result", accepted: "accepted what is to be refused", refused: "refused what is to be accepted",
  code: "refused with another code", outside: "changed bytes outside the result", stream: "the stream failed",
  missing: "the function is missing", died: "the process died", hung: "did not end in time", leaked: "gave memory back late or never",
};

function head() {
  const cells = report.operators.flatMap((operator) => operator.cells);
  const failed = sum(cells, "failed");
  const misbehaved = report.behaviour.filter((one) => !["right", "skipped"].includes(one.outcome)).length;
  const verdict = document.getElementById("verdict");
  verdict.textContent = JSON.parse(document.getElementById("headline").textContent);
  verdict.className = failed || misbehaved ? "bad" : "";
  const devices = report.environment.devices.map((device) => device.soc).join(", ");
  const made = new Date(report.made * 1000).toISOString().slice(0, 16).replace("T", " ") + " UTC";
  const about = [devices, report.environment.backend ?? report.environment.error, made, `${Math.round(report.seconds)} s`, say("seed {}", report.seed)];
  document.getElementById("about").textContent = about.filter(Boolean).join(" · ");
  const tiles = [
    ["right", sum(cells, "right"), "right"], ["refused", sum(cells, "refused"), "refused as predicted"],
    ["failed", failed, "failed"], ["absent", sum(cells, "absent"), "absent"], ["", report.operators.length, "forms of operators"],
  ];
  for (const [kind, value, text] of tiles) {
    document.getElementById("tiles").append(make("li", { className: kind }, make("b", { textContent: count(value) }), say(text)));
  }
}

function comparison() {
  if (!changes) return;
  const section = document.getElementById("comparison");
  section.hidden = false;
  const groups = [["Newly failing", changes.newly_failing], ["Newly right", changes.newly_right], ["New", changes.added], ["No longer tried", changes.removed]];
  for (const [title, names] of groups) {
    if (!names.length) continue;
    const chips = names.map((name) => make("button", {
      className: "chip " + (title === "Newly failing" ? "failed" : title === "Newly right" ? "right" : "absent"),
      textContent: name, onclick: () => (location.hash = name),
    }));
    section.append(make("h3", { textContent: `${say(title)} (${count(names.length)})` }), make("div", { className: "chips" }, ...chips));
  }
  if (groups.every(([, names]) => !names.length)) section.append(make("p", { textContent: say("Nothing changed.") }));
}

function overview() {
  const find = document.getElementById("find").value.trim().toLowerCase();
  const onlyFailed = document.getElementById("only-failed").checked;
  const matches = (operator) => !find || [operator.name, operator.function, operator.family].some((text) => text.toLowerCase().includes(find))
    || operator.cells.some((cell) => cell.types.includes(find));
  const families = Map.groupBy?.(report.operators, (operator) => operator.family)
    ?? report.operators.reduce((map, operator) => map.set(operator.family, [...(map.get(operator.family) ?? []), operator]), new Map());
  const shown = [];
  for (const [family, operators] of families) {
    const chips = operators
      .filter((operator) => matches(operator) && (!onlyFailed || broken(operator)))
      .map((operator) => {
        const failed = broken(operator);
        const chip = make("button", {
          className: "chip " + whole(operator), textContent: failed ? `${operator.name} ✗ ${count(failed)}` : operator.name,
          title: `${operator.name}: ${say(words[whole(operator)])}`, onclick: () => (location.hash = operator.name),
        });
        chip.dataset.operator = operator.name;
        return chip;
      });
    if (chips.length) shown.push(make("h3", { textContent: family.replaceAll("_", " ") }), make("div", { className: "chips" }, ...chips));
  }
  document.getElementById("families").replaceChildren(...(shown.length ? shown : [make("p", { className: "quiet", textContent: say("Nothing found.") })]));
}

/** The element types of the report, in the order in which they first appear. */
const order = [...new Set(report.operators.flatMap((operator) => operator.cells.flatMap((cell) => cell.types)))];
const sorted = (types) => [...new Set(types)].sort((a, b) => order.indexOf(a) - order.indexOf(b));

/** Draws the map of one operator: the type of the first operand downwards, that of the second to the right. */
function map(operator, chosen) {
  const pairs = operator.cells.some((cell) => cell.types.length > 1);
  const [row, column] = pairs ? [(cell) => cell.types[0] ?? "", (cell) => cell.types[1] ?? ""] : [() => "", (cell) => cell.types[0] ?? ""];
  const columns = sorted(operator.cells.map(column));
  const table = document.getElementById("map");
  table.replaceChildren(make("thead", {}, make("tr", {}, make("td"), ...columns.map((type) => make("th", { scope: "col", textContent: type })))));
  const body = table.createTBody();
  for (const first of sorted(operator.cells.map(row))) {
    const line = make("tr", {}, first ? make("th", { scope: "row", textContent: first }) : make("td"));
    for (const second of columns) {
      const cells = operator.cells.filter((cell) => row(cell) === first && column(cell) === second);
      const place = line.insertCell();
      if (!cells.length) continue;
      const name = pairs ? `${first},${second}` : second;
      const kind = state(cells);
      const worst = cells.some((cell) => cell.ulps === null) ? null : Math.max(...cells.map((cell) => cell.ulps));
      const button = make("button", {
        className: kind, title: `${name}: ${say(words[kind])}`,
        textContent: { failed: `✗ ${sum(cells, "failed")}`, right: "·", close: units(worst), refused: "–", absent: "" }[kind],
        onclick: () => (location.hash = `${operator.name}/${name}`),
      });
      button.dataset.cell = `${operator.name}/${name}`;
      button.setAttribute("aria-current", name === chosen);
      place.append(button);
    }
    body.append(line);
  }
}

/** Tells a failed case. */
function failure(one) {
  const facts = make("dl");
  const fact = (name, value) => facts.append(make("dt", { textContent: say(name) }), make("dd", {}, make("code", { textContent: value })));
  const element = (title, { index, inputs, expected, found, ulps }) => {
    fact(title, `[${index.join(", ")}]`);
    if (inputs.length) fact("inputs", inputs.join("  "));
    fact("expected", expected);
    fact("found", found);
    if (ulps !== 0) fact("distance", `${units(ulps)} ulp`);
  };
  if (one.cause) fact("likely cause", one.cause);
  one.operands.forEach((operand) => fact("operand", operand));
  if (one.worst) element("worst element", one.worst);
  const isOther = one.first && String(one.first.index) !== String(one.worst?.index);
  if (isOther) element("first finite element", one.first);
  return make("article", {}, make("b", { textContent: say(kinds[one.kind] ?? one.kind) }), make("p", { textContent: one.text }), facts,
    make("pre", { textContent: `aclnn verify --filter '${one.case}' --seed ${report.seed}` }));
}

function cell(operator, chosen) {
  const panel = document.getElementById("cell");
  const pairs = operator.cells.some((cell) => cell.types.length > 1);
  const name = (cell) => (pairs ? cell.types.slice(0, 2) : cell.types.slice(0, 1)).join(",");
  const cells = operator.cells.filter((cell) => name(cell) === chosen);
  if (!cells.length) return panel.replaceChildren();
  const parts = [];
  for (const one of cells) {
    parts.push(make("h3", { textContent: `${operator.name} ${one.types.join(", ")}` }));
    const told = ["right", "refused", "failed", "absent"].filter((kind) => one.counts[kind]).map((kind) => `${count(one.counts[kind])} ${say(kind === "refused" ? "refused as predicted" : kind)}`);
    parts.push(make("p", { textContent: told.join(", ") + (one.counts.right ? say("; those that are right at most {} ulp from the reference", units(one.ulps)) : "") }));
    parts.push(...one.failures.map(failure));
    const more = one.counts.failed - one.failures.length;
    if (more > 0) parts.push(make("p", { className: "quiet", textContent: say(more === 1 ? "and 1 case like these" : "and {} cases like these", count(more)) }));
  }
  panel.replaceChildren(...parts);
}

/** Of which parameters the types of the map are. */
function axes(operator, pairs) {
  const [first, second] = operator.parameters;
  if (!pairs) return first ? say("By the type of {}.", first) : "";
  return first && second ? say("Downwards the type of {}, to the right that of {}.", first, second) : "";
}

/** Shows what the address names: `#Add`, or `#Add/f16,f32`. */
function show() {
  const [name, types] = decodeURIComponent(location.hash.slice(1)).split("/");
  const operator = report.operators.find((one) => one.name === name) ?? report.operators.find(broken) ?? report.operators[0];
  document.getElementById("operator").hidden = !operator;
  if (!operator) return;
  const firstBroken = operator.cells.find((cell) => cell.counts.failed);
  const pairs = operator.cells.some((cell) => cell.types.length > 1);
  const chosen = (operator.name === name ? types : undefined) ?? (firstBroken ? firstBroken.types.slice(0, pairs ? 2 : 1).join(",") : undefined);
  document.getElementById("operator-name").textContent = `aclnn${operator.name}`;
  document.getElementById("operator-about").textContent =
    say("A form of {}, of the family {}. {} A number is the greatest distance from the reference in units in the last place, of the cases that are right.",
      operator.function, operator.family.replaceAll("_", " "), axes(operator, pairs));
  document.getElementById("operator-kept").textContent = kept(operator).map((one) => `${one.about} ${one.text}`).join(" ");
  map(operator, chosen);
  cell(operator, chosen);
  for (const chip of document.querySelectorAll("[data-operator]")) chip.setAttribute("aria-current", chip.dataset.operator === operator.name);
  if (location.hash) document.getElementById("operator").scrollIntoView({ block: "nearest" });
}

function rows(id, list, ...columns) {
  if (!list.length) return;
  document.getElementById(id).hidden = false;
  document.querySelector(`#${id} tbody`).append(...list.map((one) => make("tr", {}, ...columns.map((column) => make("td", {}, ...[column(one)].flat())))));
}

function environment() {
  const { environment } = report;
  const lines = [[say("command"), report.command], [say("reference"), report.reference]];
  const add = (name, value) => {
    if (Array.isArray(value)) value.forEach((one) => add(name, one));
    else if (value && typeof value === "object") Object.entries(value).forEach(([key, one]) => add(`${name} ${key}`.replaceAll("_", " "), one));
    else if (value !== null && value !== "") lines.push([name, String(value)]);
  };
  for (const [name, value] of Object.entries(environment)) {
    if (name === "devices") value.forEach((device) => add(`device ${device.ordinal}`, { ...device, ordinal: null }));
    else add(name === "variables" ? "" : name, value);
  }
  document.querySelector("#environment tbody").append(
    ...lines.map(([name, value]) => make("tr", {}, make("th", { scope: "row", textContent: name.trim() }), make("td", {}, make("code", { textContent: value })))));
}

/** Makes an element of a drawing. */
function draw(tag, properties, ...children) {
  const element = document.createElementNS(document.getElementById("drawing").namespaceURI, tag);
  Object.entries(properties).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

/** A measured value with three digits. */
const figure = (value) => (value >= 1000 ? count(Math.round(value)) : value.toPrecision(3));

/** Draws a series: a line over the logarithm of the sizes, or a bar where there is one value. */
function chart(series, most) {
  const best = series.unit === "ns" ? Math.min(...series.points.map((point) => point.y)) : Math.max(...series.points.map((point) => point.y));
  const [width, height] = [200, 60];
  const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
  const told = (point) => `${count(point.x)} ${series.axis}: ${figure(point.y)} ${series.unit}`;
  picture.append(draw("title", {}, series.points.map(told).join("\n")));
  const y = (point) => height - 4 - (point.y / most) * (height - 8);
  if (series.points.length === 1) {
    picture.append(draw("rect", { x: 0, y: height / 3, height: height / 3, width: (series.points[0].y / most) * width }));
  } else {
    const places = series.points.map((point) => Math.log(Math.max(point.x, 1)));
    const [least, range] = [Math.min(...places), Math.max(...places) - Math.min(...places) || 1];
    const points = series.points.map((point, index) => `${4 + ((places[index] - least) / range) * (width - 8)},${y(point)}`);
    picture.append(draw("polyline", { points: points.join(" ") }));
  }
  const value = series.points.length ? `${figure(best)} ${series.unit}` : series.error ?? "";
  return make("figure", {}, make("figcaption", {}, make("span", { textContent: series.name }), make("b", { textContent: value })), picture);
}

function measurements() {
  const bench = JSON.parse(document.getElementById("measurements").textContent);
  if (!bench) return;
  document.getElementById("bench").hidden = false;
  const groups = new Map();
  for (const series of bench.series) groups.set(series.group, [...(groups.get(series.group) ?? []), series]);
  for (const [group, all] of groups) {
    const most = Math.max(...all.flatMap((series) => series.points.map((point) => point.y)), 0) || 1;
    document.getElementById("charts").append(make("h3", { textContent: group }),
      make("div", { className: "charts" }, ...all.map((series) => chart(series, most))));
  }
}

sayPage();
head();
comparison();
overview();
show();
rows("behaviour", report.behaviour, (one) => [make("code", { textContent: one.name }), make("br"), one.about],
  (one) => make("span", { className: ["right", "skipped"].includes(one.outcome) ? "" : "bad", textContent: say(one.outcome) }), (one) => one.text);
rows("probes", report.probes, (one) => [make("code", { textContent: one.name }), make("br"), one.question], (one) => one.assumed,
  (one) => ({ died: `${say("The process died.")} `, hung: `${say("The process did not end in time.")} ` }[one.outcome] ?? "") + one.answer);
measurements();
environment();
document.getElementById("find").oninput = () => { overview(); show(); };
document.getElementById("only-failed").onchange = () => { overview(); show(); };
window.onhashchange = show;
