//! Named checks in child processes: a library that crashes or hangs costs the check that was under way.
//!
//! A child gets names, and prints a line when it begins with one and a line with the answer. When it dies or is silent for
//! too long, the check that it had begun is answered for it, and another child goes on with the rest.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use crate::report::Outcome;

/// What stands before a line of a child, so that it is told from what libraries print.
const MARK: &str = "aclnn-verify: ";

/// A line of a child.
#[derive(Debug, Serialize, Deserialize)]
enum Line {
    Begun(String),
    Answered(String, Answer),
}

/// Runs checks in this process, which is a child, one after the other.
pub(crate) fn answer(names: &[String], check: impl Fn(&str) -> Answer) -> Result<()> {
    let tell = |line: Line| -> Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{MARK}{}", serde_json::to_string(&line)?)?;
        Ok(out.flush()?)
    };
    for name in names {
        tell(Line::Begun(name.clone()))?;
        let answer = check(name);
        tell(Line::Answered(name.clone(), answer))?;
    }
    Ok(())
}

/// Asks children about each of some names; `tell` gets the answers in order. `child` makes the command that answers; names
/// that are `alone` get a child of their own. A check that is not answered within `patience` has hung.
pub(crate) fn ask<'a>(
    names: impl IntoIterator<Item = (&'a str, bool)>,
    patience: Duration,
    child: impl Fn(&[&str]) -> Result<Command>,
    mut tell: impl FnMut(&str, Answer),
) -> Result<()> {
    let mut rest: VecDeque<(&str, bool)> = names.into_iter().collect();
    while let Some((first, is_alone)) = rest.front().copied() {
        let together = if is_alone { 0 } else { rest.iter().skip(1).take_while(|(_, alone)| !alone).count() };
        let batch: Vec<&str> = rest.drain(..=together).map(|(name, _)| name).collect();
        let answered = ask_one(&batch, patience, child(&batch)?, &mut tell)
            .with_context(|| format!("asking a child about {first}"))?;
        for name in batch.iter().skip(answered).rev() {
            rest.push_front((*name, is_alone));
        }
    }
    Ok(())
}

/// Asks one child. Returns how many of the names were answered, at least the first.
fn ask_one(
    names: &[&str],
    patience: Duration,
    mut command: Command,
    tell: &mut impl FnMut(&str, Answer),
) -> Result<usize> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let told = last_words(&mut child);
    let lines = lines(&mut child);
    for (number, name) in names.iter().enumerate() {
        let mut is_begun = number == 0;
        let end = loop {
            match lines.recv_timeout(patience) {
                Ok(Line::Answered(of, answer)) if of == *name => break Ok(answer),
                Ok(Line::Begun(of)) => is_begun |= of == *name,
                Ok(_) => {}
                Err(why) => break Err(why),
            }
        };
        let outcome = match end {
            // What was answered before ended the process, which another one goes on for.
            Err(RecvTimeoutError::Disconnected) if !is_begun => {
                child.wait()?;
                return Ok(number);
            }
            Ok(answer) => {
                tell(name, answer);
                continue;
            }
            Err(RecvTimeoutError::Timeout) => Outcome::Hung,
            Err(RecvTimeoutError::Disconnected) => Outcome::Died,
        };
        if outcome == Outcome::Hung {
            child.kill()?;
        }
        let status = child.wait()?;
        let how = match outcome {
            Outcome::Hung => format!("no answer within {} seconds", patience.as_secs_f32()),
            _ => format!("the process ended: {}", ended(status)),
        };
        let told = told.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        let text = if told.is_empty() { how } else { format!("{how}; it wrote last: {told}") };
        tell(name, Answer { outcome, text });
        return Ok(number + 1);
    }
    // What a library does at the end of a process is not what was asked.
    let _ = child.kill();
    child.wait()?;
    Ok(names.len())
}

/// The lines of a child that are marked; they end when the child does.
fn lines(child: &mut Child) -> mpsc::Receiver<Line> {
    let (sender, receiver) = mpsc::channel();
    if let Some(out) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(out).split(b'\n').map_while(std::io::Result::ok) {
                let line = String::from_utf8_lossy(&line);
                let read = line.strip_prefix(MARK).and_then(|line| serde_json::from_str(line).ok());
                if read.is_some_and(|line| sender.send(line).is_err()) {
                    return;
                }
            }
        });
    }
    receiver
}

/// The last line that a child writes to standard error, when it has ended.
fn last_words(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(error) = child.stderr.take() {
        thread::spawn(move || {
            let lines = BufReader::new(error).split(b'\n').map_while(std::io::Result::ok);
            let last = lines.filter(|line| !line.is_empty()).last().unwrap_or_default();
            // Nobody listens where the child was not waited for.
            let _ = sender.send(String::from_utf8_lossy(&last).into_owned());
        });
    }
    receiver
}

fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            6 => "SIGABRT".to_owned(),
            7 => "SIGBUS".to_owned(),
            8 => "SIGFPE".to_owned(),
            11 => "SIGSEGV".to_owned(),
            signal => format!("signal {signal}"),
        };
    }
    status.to_string()
}
