//! A chart of the time of a model, by operator.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use aclnn_onnx::{Placement, Plan};

/// The time of the nodes of one operator.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    pub(super) operator: String,
    pub(super) nodes: usize,
    /// The time of the nodes on the device.
    pub(super) device: Duration,
    /// The time of those on the host.
    pub(super) host: Duration,
}

impl Share {
    fn time(&self) -> Duration {
        self.device + self.host
    }

    fn add(&mut self, other: &Share) {
        self.nodes += other.nodes;
        self.device += other.device;
        self.host += other.host;
    }
}

/// Adds the times of nodes by operator, longest first. Of several runs, the shortest time of each node counts.
pub(super) fn shares(runs: &[Plan]) -> Vec<Share> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
    for (place, node) in first.nodes().iter().enumerate() {
        let times = runs.iter().filter_map(|run| run.nodes().get(place)?.time());
        // What was computed before took no time in any run.
        let Some(time) = times.min() else { continue };
        let (device, host) = match node.placement() {
            Placement::Steering | Placement::Host(_) => (Duration::ZERO, time),
            _ => (time, Duration::ZERO),
        };
        let share = Share { operator: node.operator().to_owned(), nodes: 1, device, host };
        shares
            .entry(node.operator())
            .or_insert_with(|| Share { operator: share.operator.clone(), ..Share::default() })
            .add(&share);
    }
    let mut shares: Vec<Share> = shares.into_values().collect();
    shares.sort_by(|a, b| b.time().cmp(&a.time()).then_with(|| a.operator.cmp(&b.operator)));
    shares
}

/// The number of operators that have a bar of their own.
const BARS: usize = 30;
const WIDTH: usize = 860;
const HEIGHT: usize = 24;
/// The left end of the bars, and the length of the longest one.
const LEFT: usize = 220;
const LENGTH: usize = 400;
const TOP: usize = 92;

const STYLE: &str = include_str!("profile.css");

/// Returns the chart as SVG, which follows the colours of its reader.
pub(super) fn draw(model: &str, shares: &[Share]) -> String {
    let mut shown = shares.to_vec();
    if shown.len() > BARS {
        let mut rest = Share { operator: format!("{} others", shown.len() - BARS + 1), ..Share::default() };
        shown.drain(BARS - 1..).for_each(|share| rest.add(&share));
        shown.push(rest);
    }
    let total: Duration = shares.iter().map(Share::time).sum();
    let longest = shown.iter().map(Share::time).max().unwrap_or_default();
    let height = TOP + shown.len() * HEIGHT + 16;
    let nodes: usize = shares.iter().map(|share| share.nodes).sum();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" role=\"img\" \
         aria-label=\"Time by operator: {name}\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>\n\
         <text class=\"title\" x=\"16\" y=\"30\">Time by operator: {name}</text>\n\
         <text class=\"note\" x=\"16\" y=\"50\">{nodes} nodes take {}, with a wait for the device after each.</text>\n\
         <rect class=\"device\" x=\"16\" y=\"62\" width=\"12\" height=\"12\" rx=\"2\"/>\
         <text class=\"note\" x=\"34\" y=\"73\">on the device</text>\
         <rect class=\"host\" x=\"136\" y=\"62\" width=\"12\" height=\"12\" rx=\"2\"/>\
         <text class=\"note\" x=\"154\" y=\"73\">on the host</text>\n",
        time(total),
        name = escaped(model),
    );
    for (row, share) in shown.iter().enumerate() {
        let y = TOP + row * HEIGHT;
        let part =
            |time: Duration, of: Duration| time.as_secs_f64() / of.as_secs_f64().max(f64::MIN_POSITIVE);
        let length = |time: Duration| LENGTH as f64 * part(time, longest);
        let (device, host) = (length(share.device), length(share.host));
        let told = format!(
            "{}, {:.1} %, {} {}",
            time(share.time()),
            100.0 * part(share.time(), total),
            share.nodes,
            if share.nodes == 1 { "node" } else { "nodes" }
        );
        let operator = escaped(&share.operator);
        _ = writeln!(
            text,
            "<g><title>{operator}: {told}</title><text class=\"label\" x=\"{}\" y=\"{}\">{operator}</text>\
             <rect class=\"device\" x=\"{LEFT}\" y=\"{2}\" width=\"{device:.1}\" height=\"16\"/>\
             <rect class=\"host\" x=\"{3:.1}\" y=\"{2}\" width=\"{host:.1}\" height=\"16\"/>\
             <text class=\"note\" x=\"{4:.1}\" y=\"{1}\">{told}</text></g>",
            LEFT - 8,
            y + 15,
            y + 3,
            LEFT as f64 + device,
            LEFT as f64 + device + host + 8.0,
        );
    }
    text + "</svg>\n"
}

/// Returns a time with three digits behind the point.
pub(super) fn time(time: Duration) -> String {
    format!("{time:.3?}")
}

/// Returns a text inside XML. Names of models hold anything.
fn escaped(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(operator: &str, device: u64, host: u64) -> Share {
        let [device, host] = [device, host].map(Duration::from_millis);
        Share { operator: operator.to_owned(), nodes: 2, device, host }
    }

    #[test]
    fn bars_are_as_long_as_their_times() {
        let chart = draw("a<b>", &[share("Conv", 300, 0), share("Shape", 0, 100)]);
        let document = roxmltree::Document::parse(&chart).unwrap();
        let widths: Vec<&str> = document
            .descendants()
            .filter(|node| node.attribute("height") == Some("16"))
            .filter_map(|node| node.attribute("width"))
            .collect();
        assert_eq!(widths, ["400.0", "0.0", "0.0", "133.3"]);
        assert!(
            chart.contains("Conv: 300.000ms, 75.0 %, 2 nodes") && chart.contains("a&lt;b&gt;"),
            "{chart}"
        );
    }

    #[test]
    fn many_operators_share_a_bar() {
        let shares: Vec<Share> =
            (0..40).map(|number| share(&format!("Operator{number}"), 40 - number, 0)).collect();
        let chart = draw("many", &shares);
        assert!(chart.contains(">11 others</text>") && chart.contains(">Operator28</text>"), "{chart}");
        assert!(!chart.contains(">Operator29</text>"), "{chart}");
    }
}
