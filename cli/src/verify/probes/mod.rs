//! Questions that only hardware answers: what this project assumes because neither CANN's documentation nor its published
//! sources decide it.
//!
//! A probe never fails a run. Its outcome is right where the library did what is assumed, and wrong where it did something
//! else, which is worth sending back.

mod attention;
mod copies;
mod executors;
mod floats;
mod integers;
mod losses;
mod matrices;
mod memory;
mod order;
mod probe;
mod random;
mod runtime;

pub(super) use probe::Probe;

/// Every probe; the dangerous ones come last.
pub(crate) fn all() -> impl Iterator<Item = &'static Probe> {
    let rooms = [
        executors::PROBES,
        order::PROBES,
        memory::PROBES,
        copies::PROBES,
        runtime::PROBES,
        floats::PROBES,
        integers::PROBES,
        losses::PROBES,
        attention::PROBES,
        random::PROBES,
        matrices::PROBES,
    ];
    let of = move |dangerous: bool| {
        rooms.into_iter().flatten().filter(move |probe| probe.is_dangerous == dangerous)
    };
    of(false).chain(of(true))
}

#[cfg(test)]
mod tests {
    use aclnn_sys::language::Translations;

    use crate::report::html::TEXTS;
    use crate::verify::behaviour;

    #[test]
    fn checks_and_probes_are_described_in_chinese() {
        let texts = Translations::parse(TEXTS);
        let checks = behaviour::all().map(|check| check.about);
        let probes = super::all().flat_map(|probe| [probe.question, probe.assumed]);
        let english: Vec<&str> = checks.chain(probes).filter(|text| texts.translate(text) == *text).collect();
        assert!(english.is_empty(), "cli/src/report/page/texts.zh.tsv lacks: {english:#?}");
    }
}
