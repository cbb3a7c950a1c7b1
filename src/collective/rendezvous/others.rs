//! The part of the other ranks: they ask rank 0 until it answers.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use super::{ANSWER, Group, PATIENCE, PAUSE, end_after, left};

/// More bytes than this are no answer of rank 0.
const MOST: u32 = 1 << 20;

/// Why a rank has no answer.
enum Wait {
    /// Rank 0 may not be there yet.
    Again(String),
    /// Another try would end in the same way.
    Never(String),
}

impl Group<'_> {
    /// Asks rank 0 until it answers.
    #[inline]
    pub(in super::super) fn fetch(&self, timeout: Duration) -> Result<Vec<u8>, String> {
        let end = end_after(timeout);
        loop {
            let reason = match self.ask(end) {
                Ok(bytes) => return Ok(bytes),
                Err(Wait::Never(reason)) => return Err(reason),
                Err(Wait::Again(reason)) => reason,
            };
            if Instant::now() + PAUSE >= end {
                return Err(format!("rank 0 gave no answer within {timeout:?}: {reason}"));
            }
            thread::sleep(PAUSE);
        }
    }

    #[inline]
    fn ask(&self, end: Instant) -> Result<Vec<u8>, Wait> {
        let again = |error: Error| Wait::Again(error.to_string());
        let mut stream = self.connect(end)?;
        stream
            .set_write_timeout(Some(left(end)))
            .and_then(|()| stream.write_all(&self.hello()))
            .map_err(again)?;

        let mut head = [0; ANSWER.len() + 1 + 4];
        read(&mut stream, &mut head, end)?;
        let told = head.strip_prefix(&ANSWER).and_then(|rest| rest.split_first());
        let told = told.and_then(|(kind, length)| Some((kind, u32::from_le_bytes(*length.first_chunk()?))));
        let Some((kind, length)) = told.filter(|(_, length)| *length <= MOST) else {
            return Err(Wait::Never(
                "another program listens there, not rank 0; set another MASTER_PORT".to_owned(),
            ));
        };
        let mut bytes = vec![0; length as usize];
        read(&mut stream, &mut bytes, end)?;
        if *kind == 1 {
            Ok(bytes)
        } else {
            Err(Wait::Never(format!("refused: {}", String::from_utf8_lossy(&bytes))))
        }
    }

    #[inline]
    fn connect(&self, end: Instant) -> Result<TcpStream, Wait> {
        let mut reason = "the host has no address".to_owned();
        for address in self.resolve(end).map_err(Wait::Again)? {
            match TcpStream::connect_timeout(&address, left(end).min(PATIENCE)) {
                // While nobody listens at a port, a connection from this host may come to itself.
                Ok(stream) if stream.local_addr().ok() == stream.peer_addr().ok() => {}
                Ok(stream) => return Ok(stream),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(Wait::Again(reason))
    }
}

/// Fills a buffer with what comes before the end.
#[inline]
fn read(stream: &mut TcpStream, mut buffer: &mut [u8], end: Instant) -> Result<(), Wait> {
    while !buffer.is_empty() {
        if Instant::now() >= end {
            return Err(Wait::Again("it waits for other ranks, or another program has the port".to_owned()));
        }
        match stream.set_read_timeout(Some(left(end))).and_then(|()| stream.read(buffer)) {
            Ok(0) => return Err(Wait::Again("it closed the connection without an answer".to_owned())),
            Ok(count) => buffer = buffer.get_mut(count..).unwrap_or_default(),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) => {}
            Err(error) => return Err(Wait::Again(error.to_string())),
        }
    }
    Ok(())
}
