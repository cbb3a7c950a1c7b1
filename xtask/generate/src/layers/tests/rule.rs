//! What breaks the rule, and how it is told.

use super::{
    super::{house::House, picture, text},
    tree, write,
};

/// Returns what is wrong in a crate with this list of floors, whose rooms are files of these texts.
fn problems(list: &str, rooms: &[(&str, &str)]) -> Vec<String> {
    house(list, rooms).problems
}

fn house(list: &str, rooms: &[(&str, &str)]) -> House {
    let mut text = format!(
        "== Cargo.toml\n[package]\nname = \"small\"\ndescription = \"A crate\"\n== src/lib.rs\n{list}"
    );
    let of_root =
        rooms.iter().filter_map(|(path, _)| path.strip_suffix(".rs").filter(|path| !path.contains('/')));
    let folders = rooms.iter().filter_map(|(path, _)| path.strip_suffix("/mod.rs"));
    of_root.chain(folders).for_each(|room| text += &format!("mod {room};\n"));
    text += "pub const ROOF: u8 = 1;\n";
    rooms.iter().for_each(|(path, of_room)| text += &format!("== src/{path}\n{of_room}\n"));
    House::read(tree(&text).path()).unwrap()
}

const TWO: &str =
    "// Floors, from the ground up. And so on.\n//\n// 1. `low`, `other`: one\n// 2. `high`: two\n\n";

#[test]
fn an_arrow_runs_from_a_higher_floor_to_a_lower_one() {
    let (low, high, other) = ("pub struct Low;", "use crate::low::Low;\npub struct High;", "");
    assert_eq!(problems(TWO, &[("low.rs", low), ("high.rs", high), ("other.rs", other)]), [""; 0]);

    let other = "\nuse crate::high::High;\nuse crate::low::Low;\nuse crate::ROOF;";
    assert_eq!(
        problems(TWO, &[("low.rs", low), ("high.rs", high), ("other.rs", other)]),
        [
            "src/other.rs:2: `other` on floor 1 uses `crate::high::High` of `high` (src/high.rs) on floor 2, which is \
             above it",
            "src/other.rs:3: `other` uses `crate::low::Low` of `low` (src/low.rs), but both stand on floor 1",
            "src/other.rs:4: `other` on floor 1 uses `crate::ROOF` of src/lib.rs, which is the roof; move it into a \
             room below",
        ]
    );
}

#[test]
fn each_room_stands_on_one_floor() {
    let rooms = [("low.rs", ""), ("other.rs", ""), ("high.rs", "")];
    let list =
        "// Floors, from the ground up.\n// 1. `low`, `gone`: one\n// 2. `low`: two\n// 3. `high`: three\n";
    assert_eq!(
        problems(list, &rooms),
        [
            "src/lib.rs:2: floor 1 names `gone`, which is no module here",
            "src/lib.rs:3: `low` stands on floor 1 and on floor 2",
            "src/lib.rs:6: the module `other` stands on no floor",
        ]
    );
    // A floor may take several lines.
    let long = "// Floors, from the ground up.\n// 1. `low`,\n//    `other`: one,\n//    and more\n// 2. `high`: two\n";
    assert_eq!(problems(long, &rooms), [""; 0]);
    assert_eq!(
        problems("", &rooms),
        ["src/lib.rs: the crate `small` has no list of floors above its modules"]
    );
    for (list, problem) in [
        ("// Floors, from the ground up.\n// 1. low: one\n", "src/lib.rs:2: a floor is written as"),
        (
            "// Floors, from the ground up.\n// 2. `low`: one\n",
            "src/lib.rs:2: the next floor would have the number 1",
        ),
    ] {
        assert!(problems(list, &rooms)[0].starts_with(problem), "{:?}", problems(list, &rooms));
    }
}

#[test]
fn files_form_no_circle_even_through_their_parent() {
    let list = "// Floors, from the ground up.\n// 1. `room`: one\n";
    let child = ("room/child.rs", "use super::Shared;\npub fn child() {}");
    let user = ("room/user.rs", "use super::child::child;");
    let contents = "mod child;\nmod user;\npub use child::child;\npub struct Shared;";
    assert_eq!(problems(list, &[("room/mod.rs", contents), child, user]), [""; 0]);

    let parent = format!("{contents}\nfn parent() {{ user::go() }}");
    assert_eq!(
        problems(list, &[("room/mod.rs", &parent), child, user]),
        ["3 files of `small` use each other in a circle:\n    \
          src/room/mod.rs:5: `user::go` of src/room/user.rs\n    \
          src/room/user.rs:1: `super::child::child` of src/room/child.rs\n    \
          src/room/child.rs:1: `super::Shared` of src/room/mod.rs"]
    );
}

#[test]
fn a_large_room_may_have_floors_of_its_own() {
    let list = "// Floors, from the ground up.\n// 1. `room`: one\n";
    let inner = "// Floors, from the ground up.\n// 1. `first`: ground\n// 2. `second`: above\n\n";
    let parent = format!("{inner}mod first;\nmod second;\npub struct Shared;");
    let second = ("room/second.rs", "use super::Shared;\npub struct Second;");
    let first = ("room/first.rs", "use super::Shared;");
    let house = house(list, &[("room/mod.rs", &parent), first, second]);
    assert_eq!(house.problems, [""; 0]);
    assert_eq!(
        text::text(&house),
        "small: A crate\n   1  room  one\n  within `room`:\n   2  second  above\n   1  first   ground\n"
    );

    let first = ("room/first.rs", "use super::second::Second;");
    assert_eq!(
        problems(list, &[("room/mod.rs", &parent), first, second]),
        ["src/room/first.rs:1: `room::first` on floor 1 uses `super::second::Second` of `room::second` \
          (src/room/second.rs) on floor 2, which is above it"]
    );
}

#[test]
fn crates_stand_on_those_that_they_depend_on() {
    let member =
        |name: &str, more: &str| format!("== {name}/Cargo.toml\n[package]\nname = \"{name}\"\n{more}\n");
    let library = |name: &str| format!("== {name}/src/lib.rs\n// Floors, from the ground up.\n");
    let text =
        String::from("== Cargo.toml\n[workspace]\nmembers = [\"top\", \"ground\", \"middle\", \"tool\"]\n")
            + &member(
                "top",
                "[target.'cfg(unix)'.dependencies]\nmiddle = {}\n[dependencies]\nground.workspace = true",
            )
            + &member("middle", "[dependencies]\nground = { path = \"../ground\" }\nlibc = \"1\"")
            + &member("ground", "[dev-dependencies]\ntop = {}")
            + &member("tool", "publish = false\n[dependencies]\ntop = {}")
            + &library("top")
            + &library("middle")
            + &library("ground")
            + "== tool/src/main.rs\n";
    let directory = tree(&text);
    let house = House::read(directory.path()).unwrap();
    let crates: Vec<(&str, usize)> =
        house.storeys.iter().map(|storey| (storey.about.name.as_str(), storey.about.level)).collect();
    assert_eq!(crates, [("ground", 0), ("middle", 1), ("top", 2), ("tool", 3)]);
    assert_eq!(house.problems, [""; 0]);

    // What users get belongs to the house, a command too.
    write(directory.path(), "tool/Cargo.toml", "[package]\nname = \"tool\"\n[dependencies]\ntop = {}");
    let problems = House::read(directory.path()).unwrap().problems;
    assert_eq!(problems, ["tool/src/main.rs: the crate `tool` has no list of floors above its modules"]);

    write(directory.path(), "ground/Cargo.toml", "[package]\nname = \"ground\"\n[dependencies]\ntop = {}");
    assert!(House::read(directory.path()).is_err());
}

#[test]
fn the_picture_changes_with_rooms_floors_and_arrows_alone() {
    let (low, high) = ("pub struct Low;", "use crate::low::Low;");
    let drawn = |list: &str, low: &str, high: &str| {
        picture::svg(&house(list, &[("low.rs", low), ("high.rs", high), ("other.rs", "")]))
    };
    let picture = drawn(TWO, low, high);
    for name in ["small", "A crate", "low", "other", "high", "one", "two"] {
        assert!(picture.contains(&format!(">{name}</text>")), "{name}: {picture}");
    }
    let lines = |picture: &str| picture.matches("class=\"line\"").count();
    assert_eq!(lines(&picture), 1);
    assert_eq!(drawn(TWO, "// A line.\n\npub struct Low;\nfn more() {}", high), picture);
    assert_eq!(lines(&drawn(TWO, low, "")), 0);
    assert_ne!(drawn(&TWO.replace("two", "2 < 3"), low, high), picture);
    assert!(drawn(&TWO.replace("two", "2 < 3"), low, high).contains("2 &lt; 3"));
}

#[test]
fn a_line_that_follows_from_others_is_left_out_of_the_picture() {
    let list = "// Floors, from the ground up.\n// 1. `a`: one\n// 2. `b`: two\n// 3. `c`: three\n";
    let lines = |c: &str| {
        let rooms = [("a.rs", "pub struct A;"), ("b.rs", "use crate::a::A; pub struct B;"), ("c.rs", c)];
        picture::svg(&house(list, &rooms)).matches("class=\"line\"").count()
    };
    assert_eq!(lines("use crate::b::B;"), 2);
    assert_eq!(lines("use crate::{a::A, b::B};"), 2);
    assert_eq!(lines("use crate::a::A;"), 2);
}
