//! The language of messages, and their translations.

use std::ffi::OsString;

use aclnn_sys::language::{Language, Translations, faults};

fn language(variables: &[(&str, &str)]) -> Language {
    Language::from_variables(|name| {
        let found = variables.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn the_language_is_chosen_by_its_variable_and_else_by_the_locale() {
    use Language::{Chinese, English};
    assert_eq!(language(&[]), English);
    assert_eq!(language(&[("ACLNN_LANG", "zh")]), Chinese);
    assert_eq!(language(&[("LANG", "zh_CN.UTF-8")]), Chinese);
    assert_eq!(language(&[("LC_MESSAGES", "zh_CN.UTF-8"), ("LANG", "en_US.UTF-8")]), Chinese);
    assert_eq!(language(&[("LC_ALL", "C"), ("LC_MESSAGES", "zh_CN"), ("LANG", "zh_CN")]), English);
    assert_eq!(language(&[("LC_ALL", ""), ("LANG", "zh_CN")]), Chinese);
    assert_eq!(language(&[("ACLNN_LANG", "en"), ("LC_ALL", "zh_CN.UTF-8")]), English);
    assert_eq!(language(&[("ACLNN_LANG", "fr"), ("LC_ALL", "zh_CN.UTF-8")]), English);
    assert_eq!(language(&[("ACLNN_LANG", ""), ("LC_ALL", "zh_CN.UTF-8")]), Chinese);
    assert_eq!(language(&[("LANG", "de_DE.UTF-8")]), English);
}

const TEXT: &str = "# frames\n{}: {} [code {}]\t{}：{} [错误码 {}]\n\n{} is {}, but must be {}\t{} 是 {}，但必须是 {}\n\
    {} is {}\t{} 是 {}\na list\t列表\n{} of {} lacks it\t{2} 的{1}没有它\n{}\tignored\n";

#[test]
fn a_message_is_recognised_by_its_letters_and_its_holes_are_translated_in_turn() {
    let translations = Translations::parse(TEXT);
    let said = |message: &str| translations.translate(message);
    assert_eq!(said("x is 1, but must be 2"), "x 是 1，但必须是 2");
    assert_eq!(said("x is 1"), "x 是 1");
    assert_eq!(said("a list of y lacks it"), "y 的列表没有它");
    assert_eq!(said("f: x is a list [code 7]"), "f：x 是 列表 [错误码 7]");
    assert_eq!(said("nothing known"), "nothing known");
    // Whatever stands in a message takes no more time or stack than a bounded number of parts.
    let long = "x is ".repeat(800);
    assert!(said(&long).starts_with("x 是 x 是 x") && said(&long).ends_with("x is x is "));
    assert_eq!(said(&long.repeat(100)), long.repeat(100));
    assert_eq!(said(""), "");
}

#[test]
fn a_template_fits_a_message_from_its_beginning_to_its_end() {
    for (text, message, said) in [
        ("{} is {}\t<{}|{}>\n", "x is y is z", "<x|<y|z>>"),
        ("a {} b\t<{}>\n", "a  b", "<>"),
        ("a {} b\t<{}>\n", "a b", "a b"),
        ("a b\t<>\n", "a b", "<>"),
        ("a b\t<>\n", "a b c", "a b c"),
        ("{} b\t<{}>\n", "a b c", "a b c"),
    ] {
        assert_eq!(Translations::parse(text).translate(message), said, "{text}{message}");
    }
}

#[test]
fn faults_of_a_text_are_found() {
    let text = "no tab\n{} a {}\t{} b\n{} a {}\t{2} b {1}\n{}\t{}\n# comment\n\n";
    assert_eq!(faults(text), "no tab: no tab\n{} a {}\t{} b\n{}\t{}\n");
    assert_eq!(faults("{} a {}\t{1} b {1}\n"), "{} a {}\t{1} b {1}\n");
}
