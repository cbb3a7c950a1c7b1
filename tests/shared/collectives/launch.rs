//! Ranks that meet by the variables of a launcher.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use aclnn::collective::{Communicator, Launch, ReduceOp};
use aclnn::{Device, Error, Tensor};

use super::{Outcome, is_alone};

const LONG: Duration = Duration::from_secs(60);

/// The place of a rank of one host, by the variables of Hydra.
fn rank(number: u32, size: u32, port: u16) -> Result<Launch, Error> {
    let value = |name: &str| match name {
        "PMI_RANK" | "MPI_LOCALRANKID" => Some(number.to_string()),
        "PMI_SIZE" | "MPI_LOCALNRANKS" => Some(size.to_string()),
        "MASTER_PORT" => Some(port.to_string()),
        _ => None,
    };
    Ok(Launch::from_variables(value)?.unwrap_or_default())
}

#[test]
fn ranks_meet_by_the_variables_of_a_launcher_for_one_group_after_the_other() -> Outcome {
    if !is_alone(
        module_path!(),
        "ranks_meet_by_the_variables_of_a_launcher_for_one_group_after_the_other",
        &["lazy"],
    )? {
        return Ok(());
    }
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let sums = |number: u32| -> Result<Vec<i32>, Error> {
        let launch = rank(number, 3, port)?;
        let device = launch.open_device()?;
        assert_eq!(device.id(), number as i32);
        let mut sums = Vec::new();
        for turn in 0..2 {
            let id = launch.share(&device, LONG)?;
            let group = Communicator::init(&device, &id, launch.rank, launch.size)?;
            let own = Tensor::from_slice(&device, &[10 * turn + number as i32], [1])?;
            sums.push(group.all_reduce(&own, ReduceOp::Sum)?.item()?);
        }
        Ok(sums)
    };
    let sums = &sums;
    thread::scope(|scope| {
        let ranks: Vec<_> = (0..3).map(|number| scope.spawn(move || sums(number))).collect();
        for rank in ranks {
            assert_eq!(rank.join().unwrap().unwrap(), [3, 33]);
        }
    });
    Ok(())
}

#[test]
fn ranks_that_do_not_meet_say_where_and_why() -> Outcome {
    let device = Device::open(0)?;
    // One rank meets nobody, and needs no address.
    let mut alone = Launch::default();
    alone.address = None;
    let group = Communicator::init(&device, &alone.share(&device, Duration::ZERO)?, 0, 1)?;
    assert_eq!(group.size(), 1);

    let taken = TcpListener::bind(("127.0.0.1", 0))?;
    let port = taken.local_addr()?.port();
    let mut launch = rank(0, 2, port)?;
    assert_eq!(
        launch.share(&device, LONG).unwrap_err().to_string(),
        format!(
            "rank 0 of 2 did not meet the others at 127.0.0.1:{port}: another program has the port; set MASTER_PORT to a free one"
        )
    );
    launch.address = None;
    assert_eq!(
        launch.share(&device, LONG).unwrap_err().to_string(),
        "rank 0 of 2 did not meet the others at an unknown host: MASTER_ADDR is not set; set it to the name or address of \
         the host of rank 0"
    );
    Ok(())
}
