//! The configuration file of `aclInit`: a JSON object, of which the emulator follows `defaultDevice`.
//!
//! `{"defaultDevice": {"default_device": "0"}}` names the device of threads that never set one. The other settings concern
//! dumps, profiles and logs of real devices; they are accepted without effect, and standard error says so once in a process.
//! An empty file is a configuration without settings; text that is not a JSON object is refused with 100006, a device that
//! is not a number with 100000 and a device that does not exist with 107001.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use tinyjson::JsonValue;

use crate::messages::tell;
use crate::runtime::code;
use crate::runtime::product::devices;
use crate::status::{Result, Status};

/// The setting that the emulator follows, and the name of its value.
const SECTION: &str = "defaultDevice";
const DEFAULT_DEVICE: &str = "default_device";

/// The most objects and lists of a configuration.
const MOST_PARTS: usize = 1000;

/// The contents of a configuration file.
#[derive(Debug)]
pub(super) struct Configuration {
    /// The text of the file, to compare two of them.
    pub(super) text: String,
    pub(super) default_device: Option<i32>,
    without_effect: Vec<String>,
}

impl Configuration {
    pub(super) fn read(path: &str) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|why| {
            Status::new(code::INVALID_FILE, format_args!("configPath {path} cannot be read: {why}"))
        })?;
        Self::parse(text).map_err(|status| {
            let message = format!("configPath {path}: {}", status.message);
            status.with_message(message)
        })
    }

    fn parse(text: String) -> Result<Self> {
        if text.trim().is_empty() {
            return Ok(Configuration { text, default_device: None, without_effect: Vec::new() });
        }
        let no_object = |why: &dyn fmt::Display| {
            Status::new(code::PARSE_FILE, format_args!("this is no JSON object: {why}"))
        };
        // The parser calls itself for each of them.
        if text.matches(['{', '[']).count() > MOST_PARTS {
            return Err(no_object(&format_args!("it has more than {MOST_PARTS} objects and lists")));
        }
        let settings = match text.parse() {
            Ok(JsonValue::Object(settings)) => settings,
            Ok(_) => return Err(no_object(&"it is another value")),
            Err(why) => return Err(no_object(&why)),
        };
        let mut without_effect: Vec<String> =
            settings.keys().filter(|name| *name != SECTION).cloned().collect();
        let default_device = match settings.get(SECTION) {
            None => None,
            Some(JsonValue::Object(section)) => {
                let others = section.keys().filter(|name| *name != DEFAULT_DEVICE);
                without_effect.extend(others.map(|name| format!("{SECTION}.{name}")));
                section.get(DEFAULT_DEVICE).map(number_of_device).transpose()?
            }
            Some(other) => {
                let other = printed(other);
                let message = format!("{SECTION} is {other}; it must be an object with \"{DEFAULT_DEVICE}\"");
                return Err(Status::new(code::INVALID_PARAM, message));
            }
        };
        without_effect.sort();
        Ok(Configuration { text, default_device, without_effect })
    }

    /// Reports the settings that have no effect, unless that was done before.
    pub(super) fn tell_without_effect(&self, path: &str) {
        static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new: Vec<&str> = Vec::new();
        for name in &self.without_effect {
            if !told.contains(name) {
                told.push(name.clone());
                new.push(name);
            }
        }
        if !new.is_empty() {
            tell(&format!(
                "aclInit: {} of {path} has no effect in the emulator, which follows {SECTION} alone",
                new.join(", ")
            ));
        }
    }
}

/// The number of a device that exists, as CANN writes it ("0") or as a number.
fn number_of_device(value: &JsonValue) -> Result<i32> {
    let number = match value {
        JsonValue::String(text) => text.trim().parse::<i32>().ok(),
        JsonValue::Number(number) => Some(*number as i32).filter(|whole| f64::from(*whole) == *number),
        _ => None,
    };
    let wrong = || {
        let value = printed(value);
        let message =
            format!("{SECTION}.{DEFAULT_DEVICE} is {value}; it must be the number of a device, as \"0\"");
        Status::new(code::INVALID_PARAM, message)
    };
    let number = number.ok_or_else(wrong)?;
    devices::must_exist(number).map(|()| number)
}

/// Returns a value as JSON text.
fn printed(value: &JsonValue) -> String {
    value.stringify().unwrap_or_else(|_| "no number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> std::result::Result<(Option<i32>, Vec<String>), i32> {
        let parsed = Configuration::parse(text.to_owned());
        parsed.map(|one| (one.default_device, one.without_effect)).map_err(|status| status.code)
    }

    #[test]
    fn the_default_device_is_found_and_the_rest_is_named() {
        assert_eq!(parse(" \n"), Ok((None, vec![])));
        assert_eq!(parse("{}"), Ok((None, vec![])));
        for text in [
            r#"{"defaultDevice":{"default_device":"0"}}"#,
            r#"{"defaultDevice": {"default_device": 0}, "defaultDevice": {"default_device": " 0 "}}"#,
        ] {
            assert_eq!(parse(text), Ok((Some(0), vec![])), "{text}");
        }
        let text = r#"{"profiler": {"switch": "on"}, "dump": {}, "defaultDevice": {"x": 1}}"#;
        let names = ["defaultDevice.x", "dump", "profiler"].map(String::from).to_vec();
        assert_eq!(parse(text), Ok((None, names)));
    }

    #[test]
    fn what_is_no_configuration_is_refused() {
        let deep = "{\"a\": ".to_owned() + &"[".repeat(1_000_000);
        for text in ["dump = 1", "[]", "{\"a\": }", "{} {}", "{\"a\": 1,}", &deep] {
            assert_eq!(parse(text), Err(code::PARSE_FILE), "{:.100}", text);
        }
        for device in ["\"first\"", "\"\"", "0.5", "null", "99999999999", "[0]"] {
            let text = format!("{{\"defaultDevice\": {{\"default_device\": {device}}}}}");
            assert_eq!(parse(&text), Err(code::INVALID_PARAM), "{text}");
        }
        assert_eq!(parse("{\"defaultDevice\": \"0\"}"), Err(code::INVALID_PARAM));
        for device in [-1, 1_000] {
            let text = format!("{{\"defaultDevice\": {{\"default_device\": \"{device}\"}}}}");
            assert_eq!(parse(&text), Err(code::INVALID_DEVICEID), "{text}");
        }
    }
}
