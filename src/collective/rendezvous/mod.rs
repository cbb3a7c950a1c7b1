//! Bytes of rank 0 for every rank of a group, by TCP.
//!
//! A rank connects to rank 0 and says who it is; rank 0 answers all when all have come. So no rank goes on before every rank
//! has started, and the group can meet at the same port again. Whoever reaches the port and knows the protocol learns the
//! bytes.
//!
//! Integers are little-endian. A rank sends [`ASK`], the number of ranks, its rank, and the name of the group, padded with
//! zeros to [`JOB`] bytes. Rank 0 sends [`ANSWER`], 1 for the bytes or 0 for a refusal, a length, and the bytes or the reason.

mod others;
mod rank_0;

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The beginning of a message; its last letter is the version.
const ASK: [u8; 16] = *b"aclnn rank asks1";
const ANSWER: [u8; 16] = *b"aclnn rank 0 is1";
const JOB: usize = 128;
const HELLO: usize = ASK.len() + 4 + 4 + JOB;

/// How long a rank waits before it tries again.
const PAUSE: Duration = Duration::from_millis(50);
/// How long one exchange of messages may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// No group waits longer, whatever time-out it is given.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// A rank of a group, and where the group meets.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) rank: u32,
    pub(super) size: u32,
    /// The name of the group; may be empty.
    pub(super) job: &'a str,
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) is_on_one_host: bool,
}

impl Group<'_> {
    /// Returns the place of the meeting as text.
    #[inline]
    pub(super) fn address(&self) -> String {
        match self.host.parse() {
            Ok(ip) => SocketAddr::new(ip, self.port).to_string(),
            Err(_) => format!("{}:{}", self.host, self.port),
        }
    }

    /// Returns what a rank says to rank 0.
    #[inline]
    fn hello(&self) -> Vec<u8> {
        let mut hello = ASK.to_vec();
        hello.extend_from_slice(&self.size.to_le_bytes());
        hello.extend_from_slice(&self.rank.to_le_bytes());
        hello.extend_from_slice(&self.padded_job());
        hello
    }

    #[inline]
    fn padded_job(&self) -> [u8; JOB] {
        let mut padded = [0; JOB];
        padded.iter_mut().zip(self.job.bytes()).for_each(|(place, byte)| *place = byte);
        padded
    }

    /// Finds the addresses of the host, which may take the system longer than this rank waits.
    #[inline]
    fn resolve(&self, end: Instant) -> Result<Vec<SocketAddr>, String> {
        if let Ok(ip) = self.host.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(ip, self.port)]);
        }
        let (send, receive) = mpsc::channel();
        let (host, port) = (self.host.to_owned(), self.port);
        let search = move || send.send((host.as_str(), port).to_socket_addrs().map(Iterator::collect));
        let unknown = |reason: String| format!("the host {} has no known address: {reason}", self.host);
        let thread = thread::Builder::new().name("aclnn resolve".to_owned());
        thread.spawn(search).map_err(|error| unknown(error.to_string()))?;
        match receive.recv_timeout(left(end)) {
            Ok(found) => found.map_err(|error| unknown(error.to_string())),
            Err(_) => Err(unknown("the system takes too long to find it".to_owned())),
        }
    }
}

/// The time that is left, and never none.
#[inline]
fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
}

#[inline]
fn end_after(timeout: Duration) -> Instant {
    Instant::now() + timeout.min(LONGEST)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn listener() -> TcpListener {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()
    }

    fn group(rank: u32, size: u32, listener: &TcpListener) -> Group<'static> {
        let port = listener.local_addr().unwrap().port();
        Group { rank, size, job: "job", host: "127.0.0.1", port, is_on_one_host: true }
    }

    fn serve(listener: &TcpListener, size: u32, timeout: Duration) -> Result<(), String> {
        group(0, size, listener).serve_at(
            listener.try_clone().unwrap(),
            b"secret",
            timeout,
            Instant::now() + timeout,
        )
    }

    #[test]
    fn every_rank_gets_the_bytes_of_rank_0_again_and_again() {
        let listener = listener();
        for _ in 0..3 {
            thread::scope(|scope| {
                let others: Vec<_> = (1..5)
                    .map(|rank| {
                        let group = group(rank, 5, &listener);
                        scope.spawn(move || group.fetch(LONG))
                    })
                    .collect();
                serve(&listener, 5, LONG).unwrap();
                for other in others {
                    assert_eq!(other.join().unwrap().unwrap(), b"secret");
                }
            });
        }
    }

    #[test]
    fn a_rank_that_starts_before_rank_0_tries_again_at_a_host_by_its_name() {
        // The port is free again, and nobody listens there.
        let known = group(0, 2, &listener());
        let at_name = |rank| Group { rank, host: "localhost", ..known };
        let (first, second) = (at_name(0), at_name(1));
        thread::scope(|scope| {
            let other = scope.spawn(|| second.fetch(LONG));
            thread::sleep(2 * PAUSE);
            first.serve(b"secret", LONG).unwrap();
            assert_eq!(other.join().unwrap().unwrap(), b"secret");
        });
    }

    #[test]
    fn strangers_and_ranks_of_other_groups_are_refused_and_the_group_meets() {
        let listener = listener();
        let to = listener.local_addr().unwrap();
        thread::scope(|scope| {
            let rank_0 = scope.spawn(|| serve(&listener, 3, LONG));
            // One that says nothing, and one that speaks something else.
            let silent = TcpStream::connect(to).unwrap();
            let mut stranger = TcpStream::connect(to).unwrap();
            stranger.write_all(&[b'x'; HELLO]).unwrap();
            let mut told = Vec::new();
            stranger.read_to_end(&mut told).unwrap();
            assert!(String::from_utf8_lossy(&told).contains("does not speak this protocol"));

            let (ask, listener) = (|group: Group| group.fetch(LONG), &listener);
            let first = scope.spawn(move || ask(group(1, 3, listener)));
            let other_size = ask(group(2, 4, listener)).unwrap_err();
            assert_eq!(other_size, "refused: it is of a group of 4 ranks, and rank 0 of one of 3");
            let other_job = ask(Group { job: "other", ..group(2, 3, listener) }).unwrap_err();
            assert!(other_job.contains("of the group \"other\", and rank 0 of \"job\""), "{other_job}");
            let no_rank = ask(group(3, 3, listener)).unwrap_err();
            assert!(no_rank.contains("rank 3 of 3"), "{no_rank}");
            assert!(!first.is_finished(), "no rank gets the bytes before all have come");

            assert_eq!(ask(group(2, 3, listener)).unwrap(), b"secret");
            assert_eq!(first.join().unwrap().unwrap(), b"secret");
            rank_0.join().unwrap().unwrap();
            drop(silent);
        });
    }

    #[test]
    fn two_processes_of_one_rank_are_told_and_one_that_left_may_come_again() {
        let listener = listener();
        thread::scope(|scope| {
            let rank_0 = scope.spawn(|| serve(&listener, 3, LONG));
            assert!(group(2, 3, &listener).fetch(Duration::ZERO).is_err());
            let (told, answers) = mpsc::channel();
            for _ in 0..2 {
                let (told, group) = (told.clone(), group(1, 3, &listener));
                scope.spawn(move || told.send(group.fetch(LONG)));
            }
            // Whichever of them comes second.
            let refused = answers.recv().unwrap().unwrap_err();
            assert!(refused.contains("another process has come as rank 1 already"), "{refused}");

            assert_eq!(group(2, 3, &listener).fetch(LONG).unwrap(), b"secret");
            assert_eq!(answers.recv().unwrap().unwrap(), b"secret");
            rank_0.join().unwrap().unwrap();
        });
    }

    #[test]
    fn after_the_time_out_rank_0_and_those_who_came_name_who_did_not() {
        let listener = listener();
        // Rank 2 has come before rank 0 looks for the first time, which is the last one too.
        let mut came = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        came.write_all(&group(2, 12, &listener).hello()).unwrap();
        let failed = serve(&listener, 12, Duration::ZERO).unwrap_err();
        assert_eq!(failed, "waited 0ns for ranks 1, 3, 4, 5, 6, 7, 8, 9 and 2 more of 12");
        let mut told = Vec::new();
        came.read_to_end(&mut told).unwrap();
        assert!(told.starts_with(&ANSWER), "{told:?}");
        assert!(
            String::from_utf8_lossy(&told).ends_with(&format!("rank 0 gave up: it {failed}")),
            "{told:?}"
        );
    }

    #[test]
    fn without_rank_0_the_others_say_so_after_the_time_out() {
        let nobody = group(1, 2, &listener());
        let failed = nobody.fetch(Duration::from_millis(120)).unwrap_err();
        assert!(failed.starts_with("rank 0 gave no answer within 120ms: Connection refused"), "{failed}");

        // Something accepts the connection, and says nothing.
        let listener = listener();
        let failed = group(1, 2, &listener).fetch(Duration::from_millis(120)).unwrap_err();
        assert_eq!(
            failed,
            "rank 0 gave no answer within 120ms: it waits for other ranks, or another program has the port"
        );
    }

    #[test]
    fn another_program_at_the_port_is_told() {
        let listener = listener();
        let taken = group(0, 2, &listener).serve(b"secret", LONG).unwrap_err();
        assert_eq!(taken, "another program has the port; set MASTER_PORT to a free one");
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut stream, _) = listener.accept().unwrap();
                stream.read_exact(&mut [0; HELLO]).unwrap();
                stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
            });
            let other = group(1, 2, &listener).fetch(LONG).unwrap_err();
            assert_eq!(other, "another program listens there, not rank 0; set another MASTER_PORT");
        });
    }

    #[test]
    fn a_loopback_address_is_met_inside_the_host_alone() {
        let at = |host, is_on_one_host| {
            let group = Group { host, is_on_one_host, ..group(0, 2, &listener()) };
            group.listen(Instant::now() + LONG).unwrap().local_addr().unwrap().ip()
        };
        assert!(at("127.0.0.1", false).is_loopback());
        assert!(at("localhost", false).is_loopback());
        assert!(at("localhost", true).is_loopback());
        assert!(at("0.0.0.0", true).is_unspecified());
    }
}
