//! A launcher for one host: it starts this program again, once for each rank.

use std::error::Error;
use std::io;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Processes that end with this value.
struct Ranks(Vec<Child>);

impl Drop for Ranks {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended already cannot be ended again.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts all ranks, and returns what rank 0 has printed, when all have ended. The first failure ends all.
pub(crate) fn start(ranks: usize, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    // A port that is free now.
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let mut started = Ranks(Vec::new());
    for rank in 0..ranks {
        let mut program = Command::new(std::env::current_exe()?);
        // The variables that `torchrun` sets.
        program.env("RANK", rank.to_string()).env("WORLD_SIZE", ranks.to_string());
        program.env("LOCAL_RANK", rank.to_string()).env("LOCAL_WORLD_SIZE", ranks.to_string());
        program.env("MASTER_ADDR", "127.0.0.1").env("MASTER_PORT", port.to_string());
        if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
            // The emulator has as many devices as one asks for.
            program.env("CANN_STUBS_DEVICES", ranks.to_string());
        }
        program.args(arguments).stdout(if rank == 0 { Stdio::piped() } else { Stdio::null() });
        started.0.push(program.spawn()?);
    }
    let output = started.0.first_mut().and_then(|rank_0| rank_0.stdout.take()).ok_or("there is no rank 0")?;
    let output = thread::spawn(|| io::read_to_string(output));

    let mut running: Vec<(usize, &mut Child)> = started.0.iter_mut().enumerate().collect();
    while !running.is_empty() {
        let mut still = Vec::new();
        for (rank, child) in running {
            match child.try_wait()? {
                None => still.push((rank, child)),
                Some(status) if status.success() => {}
                Some(status) => {
                    return Err(format!("rank {rank} failed ({status}), so all were ended").into());
                }
            }
        }
        running = still;
        thread::sleep(Duration::from_millis(5));
    }
    Ok(output.join().map_err(|_| "the output of rank 0 was not read")??)
}
