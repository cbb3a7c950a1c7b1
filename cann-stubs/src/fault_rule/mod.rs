//! The rules of faults: which calls fail or are late although nothing is wrong with them, and how such a rule is written.
//!
//! A rule names a function and says which of its calls it strikes; a name that begins with `run:` stands for the work of a
//! function on its stream. `names` knows the functions that a rule may name.

pub(crate) mod names;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::status::Status;

/// A choice of the calls that fail, among those that a rule matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    /// Only the n-th call fails, counted from 1. Written `@n`.
    Nth(u64),
    /// Every n-th call fails. Written `%n`.
    Every(u64),
    /// All calls fail.
    Always,
    /// Each call fails with a probability, decided by the seed and the number of the call. Written `~p`.
    Chance {
        /// The probability, from 0 to 1.
        probability: f64,
        /// The seed. Another seed chooses other calls.
        seed: u64,
    },
}

impl When {
    /// Returns whether call number `number` fails, counted from 1.
    fn strikes(self, number: u64) -> bool {
        match self {
            When::Nth(n) => number == n,
            When::Every(n) => n > 0 && number.is_multiple_of(n),
            When::Always => true,
            When::Chance { probability, seed } => {
                let random = scrambled(seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                ((random >> 11) as f64) < probability * (1u64 << 53) as f64
            }
        }
    }
}

/// A number whose bits look random (the finaliser of SplitMix64).
fn scrambled(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The prefixes of rules' names: none when a call fails, `run:` when the work that it queues fails.
pub(crate) const CALL: &str = "";
pub(crate) const RUN: &str = "run:";

/// The effect of a rule on the calls that match it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// They fail with this code, and have no effect. Written as the number.
    Fails(i32),
    /// They begin later by this time. Written `20ms` or `1.5s`.
    Delays(Duration),
    /// Their rank takes no part in its group any more, as if its process had died; of collectives and of messages between
    /// ranks alone, after `run:`. Written `lost`.
    Loses,
}

impl Effect {
    /// Reads an effect of a rule for the function `name`.
    fn parse(text: &str, name: &str) -> Option<Self> {
        if text == "lost" {
            let of_ranks = name.strip_prefix(RUN).is_some_and(|function| function.starts_with("Hccl"));
            return of_ranks.then_some(Effect::Loses);
        }
        if let Ok(code) = text.parse() {
            return (code != 0).then_some(Effect::Fails(code));
        }
        let (number, seconds) = match text.strip_suffix("ms") {
            Some(number) => (number, 1e-3),
            None => (text.strip_suffix('s')?, 1.0),
        };
        let time: f64 = number.parse().ok()?;
        Duration::try_from_secs_f64(time * seconds).ok().map(Effect::Delays)
    }
}

/// What happens to a call that a rule strikes.
#[derive(Debug)]
pub(crate) enum Blow {
    Fails(Status),
    Delays(Duration),
    Loses,
}

/// A rule: what happens to some calls of some functions.
#[derive(Debug)]
pub(crate) struct Rule {
    /// A `*` at the end stands for any text.
    name: String,
    when: When,
    effect: Effect,
    calls: AtomicU64,
    struck: AtomicU64,
}

impl Rule {
    pub(crate) fn new(name: &str, when: When, effect: Effect) -> Arc<Self> {
        let (calls, struck) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Rule { name: name.to_owned(), when, effect, calls, struck })
    }

    /// A sentence about a rule that concerns no call at all, with the names that are nearest.
    fn unmatched(&self) -> Option<String> {
        let (stage, name, functions, what): (_, _, Vec<_>, _) = match self.name.strip_prefix(RUN) {
            Some(name) => (RUN, name, names::queueing().collect(), " that queues work"),
            None => (CALL, self.name.as_str(), names::functions().collect(), ""),
        };
        if functions.iter().any(|function| self.matches(stage, function)) {
            return None;
        }
        if names::refusing().iter().any(|function| self.matches(CALL, function)) {
            let sentence = "names what the emulator refuses by itself, so the rule changes nothing";
            return Some(format!("{} {sentence}", self.name));
        }
        let near = names::nearest(name.trim_end_matches('*'), functions.into_iter());
        let near = if near.is_empty() { String::new() } else { format!("; near are {}", near.join(", ")) };
        Some(format!("{} names no function of the emulator{what}, so nothing fails{near}", self.name))
    }

    /// Reads `name`, then `@n`, `%n`, `~p` or nothing, then `=` and the effect.
    fn parse(text: &str, seed: u64) -> Option<Arc<Self>> {
        let (what, effect) = text.split_once('=')?;
        let (name, when) = match what.find(['@', '%', '~']) {
            None => (what, When::Always),
            Some(at) => {
                let (name, when) = what.split_at(at);
                let number = when[1..].trim();
                let positive = |text: &str| text.parse().ok().filter(|number| *number > 0);
                let when = match when.as_bytes()[0] {
                    b'@' => When::Nth(positive(number)?),
                    b'%' => When::Every(positive(number)?),
                    _ => {
                        let probability = number.parse().ok().filter(|p| (0.0..=1.0).contains(p))?;
                        When::Chance { probability, seed }
                    }
                };
                (name, when)
            }
        };
        let name = name.trim();
        let effect = Effect::parse(effect.trim(), name)?;
        (!name.is_empty()).then(|| Rule::new(name, when, effect))
    }

    pub(crate) fn struck(&self) -> u64 {
        self.struck.load(Ordering::Relaxed)
    }

    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    fn matches(&self, stage: &str, function: &str) -> bool {
        match self.name.strip_suffix("*") {
            Some(start) => start.strip_prefix(stage).is_some_and(|start| function.starts_with(start)),
            // Their lengths tell most names apart.
            None => {
                self.name.len() == stage.len() + function.len()
                    && self.name.ends_with(function)
                    && self.name.starts_with(stage)
            }
        }
    }

    /// Counts a call of `function`, if the rule matches it, and returns what happens to the call, if the rule strikes.
    pub(crate) fn strike(&self, stage: &str, function: &str) -> Option<Blow> {
        if !self.matches(stage, function) {
            return None;
        }
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.when.strikes(number) {
            return None;
        }
        self.struck.fetch_add(1, Ordering::Relaxed);
        let code = match self.effect {
            Effect::Fails(code) => code,
            Effect::Delays(time) => return Some(Blow::Delays(time)),
            Effect::Loses => return Some(Blow::Loses),
        };
        // The name of the function stands before the message already.
        let rule = if self.name.ends_with('*') { format!(" of {}", self.name) } else { String::new() };
        Some(Blow::Fails(Status::new(code, format_args!("a fault on demand (call {number}{rule})"))))
    }
}

/// The syntax of a rule, for messages.
pub(crate) const UNDERSTOOD: &str = "NAME=CODE, NAME@n=CODE, NAME%n=CODE or NAME~p=CODE, with n from 1 on, p from 0 to 1 \
                                     and a CODE that is not 0, or a time such as 20ms or 1.5s in place of the CODE, or \
                                     lost for a NAME that begins with run:Hccl";

/// Reads a list of rules with commas between them; `tell` gets a sentence about each that cannot be read, which is left
/// out, and about each that no call matches.
pub(crate) fn parse(text: &str, seed: u64, mut tell: impl FnMut(String)) -> Vec<Arc<Rule>> {
    let mut rules = Vec::new();
    for text in text.split(',').map(str::trim).filter(|rule| !rule.is_empty()) {
        match Rule::parse(text, seed) {
            Some(rule) => {
                rule.unmatched().into_iter().for_each(&mut tell);
                rules.push(rule);
            }
            None => tell(format!("{text} is not understood, and left out; a rule may be {UNDERSTOOD}")),
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_written() {
        let text = "aclrtMalloc@3=207001, aclrtMemcpy%5=507053,*~0.5=1,run:aclnnAdd=-7,aclrtFree@2=20ms,\
                    run:aclnnMul=1.5s,run:HcclSend@2=lost";
        let rules = parse(text, 9, |told| assert_eq!(told, ""));
        let read: Vec<_> = rules.iter().map(|rule| (rule.name.as_str(), rule.when, rule.effect)).collect();
        assert_eq!(
            read,
            [
                ("aclrtMalloc", When::Nth(3), Effect::Fails(207_001)),
                ("aclrtMemcpy", When::Every(5), Effect::Fails(507_053)),
                ("*", When::Chance { probability: 0.5, seed: 9 }, Effect::Fails(1)),
                ("run:aclnnAdd", When::Always, Effect::Fails(-7)),
                ("aclrtFree", When::Nth(2), Effect::Delays(Duration::from_millis(20))),
                ("run:aclnnMul", When::Always, Effect::Delays(Duration::from_millis(1500))),
                ("run:HcclSend", When::Nth(2), Effect::Loses),
            ]
        );
        for wrong in [
            "aclrtMalloc",
            "aclrtMalloc@0=1",
            "aclrtMalloc@x=1",
            "a~2=1",
            "a@1=0",
            "=5",
            "a@1=b",
            "a=-1s",
            "a=1m",
            "HcclSend=lost",
            "run:aclnnAdd=lost",
        ] {
            let mut told = Vec::new();
            let rules = parse(&format!("{wrong},aclrtFree=1"), 0, |sentence| told.push(sentence));
            assert_eq!(rules.len(), 1, "the others are kept");
            assert!(told.len() == 1 && told[0].starts_with(wrong) && told[0].contains("NAME@n"), "{told:?}");
        }
    }

    #[test]
    fn a_rule_that_no_call_matches_is_told_with_the_names_that_are_near() {
        let told = |rule: &str| {
            let mut told = Vec::new();
            assert_eq!(parse(rule, 0, |sentence| told.push(sentence)).len(), 1);
            told.join("")
        };
        for (rule, near) in [
            ("aclrtMaloc@3=1", "aclrtMalloc"),
            ("aclrtmemcpy=1", "aclrtMemcpy"),
            ("aclnAd*=1", "aclnnAdd"),
            ("run:aclnnAddd=1", "aclnnAdd"),
            ("run:aclrtMemcpy=1", "aclrtMemcpyAsync"),
        ] {
            let told = told(rule);
            assert!(told.contains("no function") && told.contains(near), "{rule}: {told}");
        }
        assert!(told("run:aclrtMalloc=1").contains("that queues work"));
        assert!(told("aclmdlExecute*=1").contains("refuses by itself"));
        for good in ["aclrtMalloc=1", "acl*=1", "*=1", "run:*=1", "run:aclrtMemset*=1", "aclnnAdd*=1"] {
            assert_eq!(told(good), "", "{good}");
        }
    }

    #[test]
    fn the_right_calls_are_struck() {
        let struck = |when: When| (1..=1000).filter(|number| when.strikes(*number)).collect::<Vec<_>>();
        assert_eq!(struck(When::Nth(3)), [3]);
        assert_eq!(struck(When::Every(250)), [250, 500, 750, 1000]);
        let chance = |seed| struck(When::Chance { probability: 0.1, seed });
        assert_eq!(chance(1), chance(1));
        assert_ne!(chance(1), chance(2));
        assert!((50..200).contains(&chance(1).len()));
        assert_eq!(struck(When::Chance { probability: 0.0, seed: 1 }), [0_u64; 0]);
        assert_eq!(struck(When::Chance { probability: 1.0, seed: 1 }).len(), 1000);
    }

    #[test]
    fn names_match_whole_or_by_their_start() {
        let rule = |name: &str| Rule::new(name, When::Always, Effect::Fails(1));
        assert!(rule("aclrtMalloc").matches("", "aclrtMalloc"));
        assert!(!rule("aclrtMalloc").matches("", "aclrtMallocHost"));
        assert!(rule("aclrtMalloc*").matches("", "aclrtMallocHost"));
        assert!(rule("*").matches("", "anything"));
        assert!(rule("run:aclnn*").matches("run:", "aclnnAdd"));
        assert!(!rule("*").matches("run:", "aclnnAdd") && !rule("run:*").matches("", "aclnnAdd"));
    }
}
