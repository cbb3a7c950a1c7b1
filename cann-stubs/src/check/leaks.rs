//! Leaks: reports of what still lives at the end of its context, its device or the runtime.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use cann_kernels::ordered;

use super::abort::abort_program;
use super::level::{is_off_here, is_tracking};
use super::live_objects::{self, Live};
use super::report::keep;
use crate::messages::{self, localised};
use crate::misuse::{Check, Leaks};
use crate::settings;
use crate::small_map::SmallMap;

/// How many lines a summary has at most; the other groups are only counted.
const SHOWN: usize = 10;

const UNREAD: u8 = u8::MAX;

static LEVEL: AtomicU8 = AtomicU8::new(UNREAD);

/// How many leaks were reported since the last end of the runtime, for the call that ends it next.
static LEFT: AtomicUsize = AtomicUsize::new(0);

/// What happens to leaks in this process.
pub(crate) fn level() -> Leaks {
    let number = LEVEL.load(Ordering::Relaxed);
    Leaks::ALL.into_iter().find(|level| *level as u8 == number).unwrap_or_else(|| settings::get().leaks)
}

pub(crate) fn set_level(level: Leaks) {
    LEVEL.store(level as u8, Ordering::Relaxed);
}

/// Returns how many leaks were reported since the last call of this function.
pub(crate) fn take_count() -> usize {
    LEFT.swap(0, Ordering::Relaxed)
}

/// Objects of one kind that were made at one place.
#[derive(Clone, Copy)]
struct Group<'a> {
    first: &'a Live,
    count: usize,
    bytes: usize,
}

impl Group<'_> {
    fn check(&self) -> Check {
        if self.first.detail.is_some() { Check::ExecutorNeverRun } else { Check::Leak }
    }
}

impl fmt::Display for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Group { first: Live { kind, handle, bytes, detail, origin }, count, bytes: sum } = self;
        match (*detail, *count) {
            (Some(operator), 1) => write!(
                f,
                "the executor {handle:#x} of {operator} was never launched; launch it, or destroy it with \
                 aclDestroyAclOpExecutor"
            )?,
            (Some(operator), count) => write!(
                f,
                "{count} executors of {operator} were never launched, the first {handle:#x}; launch them, or destroy \
                 them with aclDestroyAclOpExecutor"
            )?,
            (None, 1) => {
                let size = bytes.map(|bytes| format!(" of {bytes} bytes")).unwrap_or_default();
                write!(f, "{kind}{size} at {handle:#x} still lives")?;
            }
            (None, count) => {
                let size = bytes.map(|_| format!(", {sum} bytes together")).unwrap_or_default();
                write!(f, "{kind}: {count} still live{size}, the first at {handle:#x}")?;
            }
        }
        match origin {
            Some(origin) => write!(f, "; made here:\n{}", origin.trim_end()),
            None => Ok(()),
        }
    }
}

/// Returns what the objects of one group have in common.
fn common(one: &Live) -> (&str, Option<&str>, Option<&str>) {
    (one.kind, one.detail, one.origin.as_deref())
}

/// One group for each kind and place, those of the most objects first.
fn grouped(live: &[Live]) -> Vec<Group<'_>> {
    let order = ordered(live.len(), &mut |a, b| common(&live[a]).cmp(&common(&live[b])));
    let mut groups: Vec<Group<'_>> = Vec::new();
    for one in order.into_iter().map(|place| &live[place]) {
        let bytes = one.bytes.unwrap_or(0);
        match groups.last_mut().filter(|group| common(group.first) == common(one)) {
            Some(group) => {
                group.count += 1;
                group.bytes = group.bytes.saturating_add(bytes);
            }
            None => groups.push(Group { first: one, count: 1, bytes }),
        }
    }
    let size = |place: usize| (groups[place].count, groups[place].bytes);
    let order = ordered(groups.len(), &mut |a, b| size(b).cmp(&size(a)));
    order.into_iter().map(|place| groups[place]).collect()
}

/// How many objects there are of each kind, those of the most objects first.
fn counted(live: &[Live]) -> String {
    let mut counts: SmallMap<&'static str, usize> = SmallMap::new();
    live.iter().for_each(|one| *counts.or_default(one.kind) += 1);
    let counts: Vec<_> = counts.iter().copied().collect();
    let order = ordered(counts.len(), &mut |a, b| counts[b].1.cmp(&counts[a].1));
    let told = order.into_iter().map(|place| counts[place]).map(|(kind, count)| match count {
        1 => kind.to_owned(),
        count => format!("{kind} ({count})"),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn is_told() -> bool {
    level() != Leaks::Off && !is_off_here()
}

/// Reports what still lives while `function` ends the runtime. Descriptors and host memory outlive the runtime, and are
/// not reported again at its next end.
pub(crate) fn tell_living(function: &str, living: Vec<Live>) {
    if is_told() {
        tell(function, live_objects::untold(living).into_iter().map(Live::located).collect());
    }
}

/// Reports `left`, which still lived when `function` ended it.
pub(crate) fn tell(function: &str, left: Vec<Live>) {
    if left.is_empty() || !is_told() {
        return;
    }
    LEFT.fetch_add(left.len(), Ordering::Relaxed);
    let unlocated = left.iter().any(|one| one.origin.is_none());
    let counted = (level() == Leaks::Tell).then(|| counted(&left));
    let groups = grouped(&left);
    for (number, group) in groups.iter().enumerate() {
        let message = group.to_string();
        if number < SHOWN && counted.is_none() {
            eprintln!("cann-stubs: {}: {function}: {}", group.check().name(), localised(&message));
        }
        keep(group.check(), function, &message, 0);
    }
    if let Some(counted) = counted {
        messages::tell(&format!("leak: {function}: {counted} still live; CANN_STUBS_LEAKS=list lists them"));
        return;
    }
    if let Some(rest) = groups.get(SHOWN..).filter(|rest| !rest.is_empty()) {
        let count: usize = rest.iter().map(|group| group.count).sum();
        messages::tell(&format!(
            "leak: {function}: and {count} more, of {} other kinds or places",
            rest.len()
        ));
    }
    if unlocated
        && is_tracking()
        && let Some(setting) = live_objects::setting_for_places()
    {
        messages::tell(&format!("{setting} says where each was made"));
    }
    if level() == Leaks::Abort {
        abort_program();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaks_are_summed_up_by_kind_and_place_the_most_first() {
        let at =
            |kind, handle, origin: &str| Live { origin: Some(origin.to_owned()), ..Live::new(kind, handle) };
        let mut live = vec![at("stream", 1, "here"), at("stream", 2, "there"), at("stream", 3, "there")];
        live.extend((4..8).map(|handle| Live::new("device memory", handle).of_bytes(100)));
        live.push(Live { detail: Some("aclnnAdd"), ..Live::new("executor", 8) });
        let groups = grouped(&live);
        let told: Vec<String> = groups.iter().map(Group::to_string).collect();
        assert_eq!(
            [&told[0], &told[1], &told[3]],
            [
                "device memory: 4 still live, 400 bytes together, the first at 0x4",
                "stream: 2 still live, the first at 0x2; made here:\nthere",
                "stream at 0x1 still lives; made here:\nhere",
            ]
        );
        assert!(told[2].starts_with("the executor 0x8 of aclnnAdd was never launched"), "{}", told[2]);
        assert_eq!((groups[2].check(), groups[3].check()), (Check::ExecutorNeverRun, Check::Leak));
    }
}
