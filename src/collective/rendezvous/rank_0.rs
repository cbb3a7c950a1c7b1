//! The part of rank 0: it waits for the others, and answers them.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::{ANSWER, ASK, Group, HELLO, PATIENCE, PAUSE, end_after};

/// How long rank 0 sleeps between two looks.
const MOMENT: Duration = Duration::from_millis(2);
/// How many connections rank 0 takes between two looks at the clock.
const AT_ONCE: usize = 256;
/// How long a port may be in use before that is an error: a rank that looks for rank 0 may have it for a moment.
const TAKEN: Duration = Duration::from_secs(1);

impl Group<'_> {
    /// Waits until every other rank has come, and gives each the bytes.
    #[inline]
    pub(in super::super) fn serve(&self, bytes: &[u8], timeout: Duration) -> Result<(), String> {
        let end = end_after(timeout);
        let listener = self.listen(end)?;
        self.serve_at(listener, bytes, timeout, end)
    }

    #[inline]
    pub(super) fn listen(&self, end: Instant) -> Result<TcpListener, String> {
        let addresses = self.resolve(end)?;
        let is_loopback = |ip: IpAddr| ip.is_loopback();
        let names_loopback = self.host == "localhost" || self.host.parse().is_ok_and(is_loopback);
        // Some hosts give their own name a loopback address, at which other hosts do not reach them.
        let is_inside = self.is_on_one_host || names_loopback;
        let at: Vec<SocketAddr> = if is_inside && addresses.iter().all(|address| is_loopback(address.ip())) {
            addresses
        } else if addresses.iter().any(SocketAddr::is_ipv6) {
            vec![(Ipv6Addr::UNSPECIFIED, self.port).into(), (Ipv4Addr::UNSPECIFIED, self.port).into()]
        } else {
            vec![(Ipv4Addr::UNSPECIFIED, self.port).into()]
        };
        let begin = Instant::now();
        loop {
            match TcpListener::bind(at.as_slice()) {
                Ok(listener) => return Ok(listener),
                Err(error) if error.kind() != ErrorKind::AddrInUse => {
                    return Err(format!("rank 0 cannot listen there: {error}"));
                }
                Err(_) if begin.elapsed() >= TAKEN => {
                    return Err("another program has the port; set MASTER_PORT to a free one".to_owned());
                }
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }

    /// Serves at a port, until the end.
    #[inline]
    pub(super) fn serve_at(
        &self,
        listener: TcpListener,
        bytes: &[u8],
        timeout: Duration,
        end: Instant,
    ) -> Result<(), String> {
        let others = self.size.saturating_sub(1) as usize;
        let mut meeting = Meeting::open(*self, listener)?;
        loop {
            meeting.look();
            if meeting.there.len() == others {
                // A rank that has left may come again.
                meeting.there.retain(|_, stream| is_open(stream));
            }
            if meeting.there.len() == others {
                return meeting.give(bytes);
            }
            if Instant::now() >= end {
                return Err(meeting.give_up(timeout));
            }
            thread::sleep(MOMENT);
        }
    }
}

/// Somebody who has connected, and not yet said who it is.
struct Caller {
    stream: TcpStream,
    from: SocketAddr,
    hello: Vec<u8>,
    end: Instant,
}

/// The ranks that have come so far.
struct Meeting<'a> {
    group: Group<'a>,
    listener: TcpListener,
    callers: Vec<Caller>,
    /// Ranks that wait for their answer.
    there: BTreeMap<u32, TcpStream>,
    /// The last caller that could not be taken, and why.
    refused: Option<String>,
}

impl<'a> Meeting<'a> {
    #[inline]
    fn open(group: Group<'a>, listener: TcpListener) -> Result<Self, String> {
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        Ok(Self { group, listener, callers: Vec::new(), there: BTreeMap::new(), refused: None })
    }

    /// Takes connections, and reads what has come by them.
    #[inline]
    fn look(&mut self) {
        for _ in 0..AT_ONCE {
            match self.listener.accept() {
                Ok((stream, from)) => {
                    if stream.set_nonblocking(true).is_ok() {
                        let end = Instant::now() + PATIENCE;
                        self.callers.push(Caller { stream, from, hello: Vec::new(), end });
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // Such as too many open files, until the callers that say nothing are gone.
                Err(error) => {
                    self.refused = Some(format!("a connection was not taken: {error}"));
                    break;
                }
            }
        }
        for mut caller in std::mem::take(&mut self.callers) {
            match caller.has_said_all() {
                None => {}
                Some(false) => self.callers.push(caller),
                Some(true) => {
                    self.there.retain(|_, stream| is_open(stream));
                    match self.admit(&caller.hello) {
                        Ok(rank) => _ = self.there.insert(rank, caller.stream),
                        Err(reason) => {
                            let _ = answer(caller.stream, false, reason.as_bytes());
                            self.refused = Some(format!("{} was refused: {reason}", caller.from));
                        }
                    }
                }
            }
        }
    }

    /// Returns the rank of a caller, or why it does not belong to the group.
    #[inline]
    fn admit(&self, hello: &[u8]) -> Result<u32, String> {
        let told = hello.strip_prefix(&ASK).and_then(|rest| rest.split_first_chunk());
        let told = told.and_then(|(size, rest)| Some((*size, rest.split_first_chunk()?)));
        let Some((size, (rank, job))) = told else {
            return Err(
                "it does not speak this protocol in this version; all ranks run the same program".to_owned()
            );
        };
        let (size, rank) = (u32::from_le_bytes(size), u32::from_le_bytes(*rank));
        if job != self.group.padded_job() {
            let end = job.iter().position(|byte| *byte == 0).unwrap_or(job.len());
            let job = String::from_utf8_lossy(job.get(..end).unwrap_or_default());
            return Err(format!(
                "it is of the group {job:?}, and rank 0 of {:?}; set another MASTER_PORT for one of them",
                self.group.job
            ));
        }
        if size != self.group.size {
            return Err(format!(
                "it is of a group of {size} ranks, and rank 0 of one of {}",
                self.group.size
            ));
        }
        if rank == 0 || rank >= size {
            return Err(format!("it says that it is rank {rank} of {size}, which cannot ask rank 0"));
        }
        if self.there.contains_key(&rank) {
            return Err(format!(
                "another process has come as rank {rank} already; each has a rank of its own"
            ));
        }
        Ok(rank)
    }

    /// Gives every rank the bytes; an error if one has left, which the others learn when they make the group.
    #[inline]
    fn give(self, bytes: &[u8]) -> Result<(), String> {
        let given = self.there.into_iter().map(|(rank, stream)| (rank, answer(stream, true, bytes)));
        let failed =
            given.filter_map(|(rank, given)| Some(format!("rank {rank} has left: {}", given.err()?)));
        failed.reduce(|first, _| first).map_or(Ok(()), Err)
    }

    /// Tells those who have come that others have not.
    #[inline]
    fn give_up(self, timeout: Duration) -> String {
        let mut reason = format!("waited {timeout:?} for {}", missing(self.group.size, &self.there));
        if let Some(refused) = self.refused {
            reason += &format!("; {refused}");
        }
        for stream in self.there.into_values() {
            let _ = answer(stream, false, format!("rank 0 gave up: it {reason}").as_bytes());
        }
        reason
    }
}

impl Caller {
    /// Returns whether the caller has said who it is; `None` if the caller is gone.
    #[inline]
    fn has_said_all(&mut self) -> Option<bool> {
        let mut part = [0; HELLO];
        let room = part.get_mut(..HELLO.saturating_sub(self.hello.len()))?;
        match self.stream.read(room) {
            Ok(0) => return None,
            Ok(count) => self.hello.extend_from_slice(room.get(..count)?),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => return None,
        }
        if self.hello.len() == HELLO {
            return Some(true);
        }
        (Instant::now() < self.end).then_some(false)
    }
}

#[inline]
fn answer(mut stream: TcpStream, is_given: bool, bytes: &[u8]) -> std::io::Result<()> {
    let mut message = ANSWER.to_vec();
    message.push(u8::from(is_given));
    message.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    message.extend_from_slice(bytes);
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(&message)
}

/// Whether a rank that waits for its answer is still there.
#[inline]
fn is_open(stream: &TcpStream) -> bool {
    matches!(stream.peek(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Names the ranks that have not come.
#[inline]
fn missing(size: u32, there: &BTreeMap<u32, TcpStream>) -> String {
    const NAMED: usize = 8;
    let missing: Vec<u32> = (1..size).filter(|rank| !there.contains_key(rank)).collect();
    let named: Vec<String> = missing.iter().take(NAMED).map(u32::to_string).collect();
    let more = missing.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{} {}{more} of {size}", if missing.len() == 1 { "rank" } else { "ranks" }, named.join(", "))
}
