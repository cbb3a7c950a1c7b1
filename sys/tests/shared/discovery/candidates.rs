//! Candidates that give way to the next one, and leave nothing behind that would meet it.

use std::path::PathBuf;

use super::world::{BEFORE, Found, RECORDED, REFUSE, Traits, World};

#[test]
fn a_candidate_that_lacks_a_dependency_leaves_nothing_behind() {
    for (library, function) in
        [("libascendcl.so", "aclInit"), ("libnnopbase.so", "aclCreateTensor"), ("libopapi.so", "aclnnAdd")]
    {
        let world = World::new();
        world.linked_toolkit("first");
        let good = world.linked_toolkit("good");
        world.break_dependency(&format!("first/lib64/{library}"), &[function]);
        let found = world.search(&[
            ("ASCEND_HOME_PATH", world.path("first")),
            ("LD_LIBRARY_PATH", world.path("good/lib64")),
        ]);
        assert_eq!(found.numbers(), good.map(Some), "{found:#?}");
        assert_eq!(found.number("operators.aclnnBase"), Some(good[1]), "{found:#?}");
        assert!(!found.loaded.iter().any(|path| path.starts_with("first/")), "{found:#?}");
        let why = found.tried.iter().find(|attempt| attempt.starts_with(&format!("first/lib64/{library}")));
        assert!(why.is_some_and(|why| why.contains("it needs that library")), "{found:#?}");

        // The dynamic linker itself would find the first one again.
        let paths = std::env::join_paths(["first/lib64", "good/lib64"].map(|path| world.path(path))).unwrap();
        let behind = world.search(&[("LD_LIBRARY_PATH", paths)]);
        assert_eq!(behind.numbers(), good.map(Some), "{behind:#?}");
        assert_eq!(behind.number("operators.aclnnBase"), Some(good[1]), "{behind:#?}");
    }
}

#[test]
fn a_candidate_that_was_refused_gives_way_to_the_next() {
    let world = World::new();
    let first = world.linked_toolkit("first");
    let good = world.linked_toolkit("good");
    let variables = [
        (REFUSE, PathBuf::from("1")),
        ("ACLNN_CANN_PATH", world.path("first")),
        // Another way to the same libraries, which are not asked twice.
        ("ASCEND_HOME_PATH", world.path("first/lib64")),
        ("LD_LIBRARY_PATH", world.path("good/lib64")),
    ];
    let found = world.search(&variables);
    assert_eq!(found.numbers(), good.map(Some), "{found:#?}");
    assert_eq!(found.number("operators.aclnnBase"), Some(good[1]), "{found:#?}");
    assert!(!found.loaded.iter().any(|path| path.starts_with("first/")), "{found:#?}");
    let refused = format!("first/lib64 (ACLNN_CANN_PATH): refused with aclInit Some({})", first[0]);
    assert_eq!(found.tried[3..5], [refused, "first/lib64 (ASCEND_HOME_PATH): tried above".to_owned()]);

    // Nobody else comes: what was refused was used, and stays as it is.
    let alone = world.search(&[
        (REFUSE, PathBuf::from("1")),
        ("ASCEND_HOME_PATH", world.path("first")),
        ("LD_LIBRARY_PATH", world.path("first/lib64")),
    ]);
    assert_eq!(alone.directory, "", "{alone:#?}");
    assert!(alone.tried.contains(&"first/lib64 (dynamic linker): tried above".to_owned()), "{alone:#?}");
    assert!(alone.loaded.iter().any(|path| path.starts_with("first/")), "{alone:#?}");
}

#[test]
fn libraries_of_two_directories_do_not_meet() {
    let world = World::new();
    let first = world.linked_toolkit("first");
    let good = world.linked_toolkit("good");
    let refuses = |found: &Found, why: &str| {
        assert!(found.tried.iter().any(|attempt| attempt.contains(why)), "{why:?} is missing in {found:#?}");
    };

    // The program has loaded one by itself, and the dynamic linker answers with that.
    let found = world.search(&[
        (BEFORE, world.path("good/lib64/libnnopbase.so")),
        ("ASCEND_HOME_PATH", world.path("first")),
    ]);
    refuses(
        &found,
        "first/lib64 (ASCEND_HOME_PATH): good/lib64/libnnopbase.so is loaded in this process already",
    );
    assert_eq!(found.numbers(), good.map(Some), "{found:#?}");

    // One that was refused stays loaded.
    let stays = Traits { stays: true, ..Traits::default() };
    let runtime = world.library_with("first/lib64/libascendcl.so", &["aclInit"], &stays);
    let mut variables = vec![(REFUSE, PathBuf::from("1")), ("ASCEND_HOME_PATH", world.path("first"))];
    variables.push((RECORDED, world.path("good")));
    let found = world.search(&variables);
    assert_eq!(found.directory, "", "{found:#?}");
    refuses(&found, &format!("first/lib64 (ASCEND_HOME_PATH): refused with aclInit Some({runtime})"));
    refuses(
        &found,
        "good/lib64 (recorded at build time): first/lib64/libascendcl.so is loaded in this process",
    );
    assert_ne!(runtime, first[0]);

    // One brings along a library of another directory, which the dynamic linker prefers.
    world.library("mixed/lib64/libruntime.so", &["rtInit"]);
    world.toolkit("mixed", "libopapi.so");
    let needs = Traits { needs: Some("mixed/lib64/libruntime.so"), ..Traits::default() };
    world.library_with("mixed/lib64/libascendcl.so", &["aclInit"], &needs);
    world.library("good/lib64/libruntime.so", &["rtInit"]);
    let found = world
        .search(&[("ASCEND_HOME_PATH", world.path("mixed")), ("LD_LIBRARY_PATH", world.path("good/lib64"))]);
    refuses(&found, "mixed/lib64/libascendcl.so (ASCEND_HOME_PATH): with it comes good/lib64/libruntime.so");
    assert_eq!(found.numbers(), good.map(Some), "{found:#?}");
    assert!(!found.loaded.iter().any(|path| path.starts_with("mixed/")), "{found:#?}");
}
