//! The place of a process in a group of processes, as its launcher has set it.

use std::time::Duration;

use crate::device::Device;
use crate::error::{Error, Result};

use super::id::Id;
use super::rendezvous::Group;

/// The port at which rank 0 is met if `MASTER_PORT` is not set.
const PORT: u16 = 29500;

/// The launcher whose variables were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Launcher {
    /// `torchrun`, or another launcher that sets `RANK` and `WORLD_SIZE`.
    Torchrun,
    /// `mpirun` of Open MPI.
    OpenMpi,
    /// `mpiexec` of MPICH, of Intel MPI, and of others that use Hydra.
    Hydra,
    /// `srun` of Slurm.
    Slurm,
}

/// The place of a process in a group of processes that were started together, one for each rank.
///
/// [`from_env`](Launch::from_env) reads it from the variables of the launcher, which the page about [environment
/// variables](crate::topics::environment_variables#of-launchers) lists. [`Launch::default`] is a group of one rank. The
/// fields may be changed before the value is used, for example to meet at another port.
///
/// ```
/// use aclnn::collective::Launch;
///
/// let launch = Launch::from_env()?.unwrap_or_default();
/// println!("rank {} of {}", launch.rank, launch.size);
/// let device = launch.open_device()?;
/// # let _ = device;
/// # Ok::<(), aclnn::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Launch {
    /// The launcher; `None` if the process was started by itself.
    pub launcher: Option<Launcher>,
    /// The rank of this process, from 0.
    pub rank: usize,
    /// The number of ranks.
    pub size: usize,
    /// The rank among those of this host, from 0.
    pub local_rank: usize,
    /// The number of ranks on this host, if the launcher tells it.
    pub local_size: Option<usize>,
    /// The name or address of the host of rank 0: `MASTER_ADDR`. Without this variable, `127.0.0.1` if all ranks run on
    /// one host, with Slurm otherwise the first host of the step, and else `None`.
    pub address: Option<String>,
    /// The TCP port at which rank 0 is met: `MASTER_PORT`, and 29500 without this variable. Where `torchrun` itself
    /// listens at this port (`TORCHELASTIC_USE_AGENT_STORE=True`), it is the next one.
    pub port: u16,
    /// The launcher's name of the group, if it has one. Groups of another name are refused.
    pub job: Option<String>,
}

impl Default for Launch {
    #[inline]
    fn default() -> Self {
        Self {
            launcher: None,
            rank: 0,
            size: 1,
            local_rank: 0,
            local_size: Some(1),
            address: Some("127.0.0.1".to_owned()),
            port: PORT,
            job: None,
        }
    }
}

/// The names of the variables of a launcher.
struct Names {
    launcher: Launcher,
    rank: &'static str,
    size: &'static str,
    local_rank: &'static str,
    local_size: &'static str,
    /// Together they name the group.
    job: &'static [&'static str],
}

/// From the inside out: a launcher that another one starts sets its variables beside those of the other.
const NAMES: [Names; 4] = [
    Names {
        launcher: Launcher::Torchrun,
        rank: "RANK",
        size: "WORLD_SIZE",
        local_rank: "LOCAL_RANK",
        local_size: "LOCAL_WORLD_SIZE",
        job: &["TORCHELASTIC_RUN_ID"],
    },
    Names {
        launcher: Launcher::OpenMpi,
        rank: "OMPI_COMM_WORLD_RANK",
        size: "OMPI_COMM_WORLD_SIZE",
        local_rank: "OMPI_COMM_WORLD_LOCAL_RANK",
        local_size: "OMPI_COMM_WORLD_LOCAL_SIZE",
        job: &["PMIX_NAMESPACE"],
    },
    Names {
        launcher: Launcher::Hydra,
        rank: "PMI_RANK",
        size: "PMI_SIZE",
        local_rank: "MPI_LOCALRANKID",
        local_size: "MPI_LOCALNRANKS",
        job: &[],
    },
    Names {
        launcher: Launcher::Slurm,
        rank: "SLURM_PROCID",
        // Not `SLURM_NTASKS`: a batch script has that one too, and is one process.
        size: "SLURM_STEP_NUM_TASKS",
        local_rank: "SLURM_LOCALID",
        local_size: "SLURM_STEP_TASKS_PER_NODE",
        job: &["SLURM_JOB_ID", "SLURM_STEP_ID"],
    },
];

impl Launch {
    /// Reads the variables of the launcher that started this process; `None` if there are none.
    ///
    /// Where the variables of several launchers are set, those of `torchrun` count first, then those of Open MPI, Hydra
    /// and Slurm. A variable that is empty counts as not set.
    ///
    /// # Errors
    ///
    /// [`Error::Environment`] if a value is not a number, if a variable is missing beside the others, or if they
    /// contradict each other.
    #[inline]
    pub fn from_env() -> Result<Option<Launch>> {
        Self::from_variables(|name| Some(std::env::var_os(name)?.to_string_lossy().into_owned()))
    }

    /// Reads variables by a function that looks them up, as [`from_env`](Launch::from_env) reads those of the process.
    ///
    /// # Errors
    ///
    /// As [`from_env`](Launch::from_env).
    ///
    /// ```
    /// use aclnn::collective::Launch;
    ///
    /// let variables = [("PMI_RANK", "1"), ("PMI_SIZE", "2"), ("MPI_LOCALRANKID", "0")];
    /// let value_of = |name: &str| Some(variables.iter().find(|(known, _)| *known == name)?.1.to_owned());
    /// let launch = Launch::from_variables(value_of)?.expect("the variables of a launcher");
    /// assert_eq!((launch.rank, launch.size, launch.local_rank), (1, 2, 0));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    pub fn from_variables(value_of: impl Fn(&str) -> Option<String>) -> Result<Option<Launch>> {
        let variables = Variables(|name: &str| value_of(name).filter(|value| !value.trim().is_empty()));
        let is_set = |name: &str| (variables.0)(name).is_some();
        let names = NAMES.iter().find(|names| match names.launcher {
            // With PMI-2, Slurm sets variables of Hydra, but not all.
            Launcher::Hydra if is_set("SLURM_STEP_NUM_TASKS") => is_set(names.local_rank),
            // A batch script has a `SLURM_PROCID` as well.
            Launcher::Slurm => is_set(names.size),
            _ => is_set(names.rank) || is_set(names.size),
        });
        names.map(|names| variables.read(names)).transpose()
    }

    /// Opens the device of this rank: the one whose ordinal is the local rank.
    ///
    /// # Errors
    ///
    /// As [`Device::open`].
    #[inline]
    pub fn open_device(&self) -> Result<Device> {
        Device::open(i32::try_from(self.local_rank).unwrap_or(i32::MAX))
    }

    /// Makes an [`Id`] on rank 0 and passes it to every rank, which calls this function too.
    ///
    /// `device` is the one of this rank that will join the group. Rank 0 listens at its [`address`](Launch::address) and
    /// [`port`](Launch::port), by TCP, until every other rank has asked for the id; a rank asks again until rank 0 is there.
    /// So no rank returns before all have started. One rank alone meets nobody. For a second group, every rank calls this
    /// function again.
    ///
    /// Rank 0 listens inside of its host if the address is a loopback address, and otherwise at every address of its host.
    /// Ranks of groups of another size or [name](Launch::job) are refused, but nothing is encrypted and no secret is asked
    /// for: who reaches the port can learn the id, and with it join the group. Use it in networks that you trust, as
    /// other launchers are used.
    ///
    /// # Errors
    ///
    /// [`Error::Rendezvous`] if the ranks have not met within `timeout`, with the ranks that are missing, if this rank does
    /// not belong to the group of the rank 0 that it found, or if the address is not known or its port is in use; what
    /// [`Id::new`] returns.
    #[inline]
    pub fn share(&self, device: &Device, timeout: Duration) -> Result<Id> {
        if self.size == 1 {
            return Id::new(device);
        }
        let failed = |address: String, reason: String| Error::Rendezvous {
            rank: self.rank,
            size: self.size,
            address,
            reason,
        };
        let host = self.address.as_deref().ok_or_else(|| {
            let reason = "MASTER_ADDR is not set; set it to the name or address of the host of rank 0";
            failed("an unknown host".to_owned(), reason.to_owned())
        })?;
        let group = Group {
            rank: u32::try_from(self.rank).unwrap_or(u32::MAX),
            size: u32::try_from(self.size).unwrap_or(u32::MAX),
            job: self.job.as_deref().unwrap_or_default(),
            host,
            port: self.port,
            is_on_one_host: self.local_size == Some(self.size),
        };
        if self.rank == 0 {
            let id = Id::new(device)?;
            group.serve(id.as_bytes(), timeout).map_err(|reason| failed(group.address(), reason))?;
            return Ok(id);
        }
        Id::from_bytes(&group.fetch(timeout).map_err(|reason| failed(group.address(), reason))?)
    }
}

/// Variables by a function that looks them up.
struct Variables<F>(F);

impl<F: Fn(&str) -> Option<String>> Variables<F> {
    #[inline]
    fn read(&self, names: &Names) -> Result<Launch> {
        // `beside` is set where `name` is missing.
        let needed = |name: &'static str, beside: &'static str| {
            let missing = || {
                let reason = format!("{name} is not set, which belongs to it; set both or none");
                wrong(beside, &(self.0)(beside).unwrap_or_default(), reason)
            };
            self.number(name)?.ok_or_else(missing)
        };
        let rank = needed(names.rank, names.size)?;
        let size = needed(names.size, names.rank)?;
        let local_rank = needed(names.local_rank, names.rank)?;
        let local_size = match names.launcher {
            Launcher::Slurm => self.tasks_of_node(names.local_size)?,
            _ => self.number(names.local_size)?,
        };
        below(names.rank, rank, names.size, size)?;
        if let Some(local_size) = local_size {
            below(names.local_rank, local_rank, names.local_size, local_size)?;
            if local_size > size {
                let reason = format!("more ranks on this host than in all: {}={size}", names.size);
                return Err(wrong(names.local_size, &local_size.to_string(), reason));
            }
        }

        let address = (self.0)("MASTER_ADDR").map(|address| address.trim().to_owned());
        let address = match address {
            None if local_size == Some(size) => Some("127.0.0.1".to_owned()),
            None if names.launcher == Launcher::Slurm => {
                (self.0)("SLURM_STEP_NODELIST").as_deref().map(first_host)
            }
            given => given,
        };
        let job: Vec<String> = names.job.iter().filter_map(|name| (self.0)(name)).collect();
        Ok(Launch {
            launcher: Some(names.launcher),
            rank,
            size,
            local_rank,
            local_size,
            address,
            port: self.port(names.launcher)?,
            job: Some(job.join(".")).filter(|job| !job.is_empty()),
        })
    }

    #[inline]
    fn number(&self, name: &'static str) -> Result<Option<usize>> {
        let Some(value) = (self.0)(name) else { return Ok(None) };
        let number = value.trim().parse::<u32>();
        number
            .map(|number| Some(number as usize))
            .map_err(|_| wrong(name, &value, "it has to be a number from 0".to_owned()))
    }

    #[inline]
    fn port(&self, launcher: Launcher) -> Result<u16> {
        let name = "MASTER_PORT";
        let Some(value) = (self.0)(name) else { return Ok(PORT) };
        let port = value.trim().parse().ok().filter(|port: &u16| *port != 0);
        let port =
            port.ok_or_else(|| wrong(name, &value, "it has to be a port from 1 to 65535".to_owned()))?;
        let store = (self.0)("TORCHELASTIC_USE_AGENT_STORE");
        if launcher != Launcher::Torchrun || store.is_none_or(|value| !value.eq_ignore_ascii_case("true")) {
            return Ok(port);
        }
        let taken = || {
            wrong(name, &value, "torchrun listens there, and there is no next port; take another".to_owned())
        };
        port.checked_add(1).ok_or_else(taken)
    }

    /// Returns how many tasks the node of this process has, from a list such as `4(x2),3`.
    #[inline]
    fn tasks_of_node(&self, name: &'static str) -> Result<Option<usize>> {
        let (Some(value), Some(node)) = ((self.0)(name), self.number("SLURM_NODEID")?) else {
            return Ok(None);
        };
        let mut before = node;
        for part in value.trim().split(',') {
            let (tasks, nodes) = match part.strip_suffix(')').and_then(|part| part.split_once("(x")) {
                Some((tasks, nodes)) => (tasks.parse::<usize>(), nodes.parse::<usize>()),
                None => (part.parse(), Ok(1)),
            };
            let (Ok(tasks), Ok(nodes)) = (tasks, nodes) else {
                return Err(wrong(name, &value, "it has to be a list such as 4(x2),3".to_owned()));
            };
            match before.checked_sub(nodes) {
                Some(rest) => before = rest,
                None => return Ok(Some(tasks)),
            }
        }
        Err(wrong(name, &value, format!("it has no entry for SLURM_NODEID={node}")))
    }
}

/// Returns the first host of a list such as `node[07-09,12],login`.
#[inline]
fn first_host(list: &str) -> String {
    let mut host = String::new();
    let mut rest = list.trim();
    while let Some(at) = rest.find(['[', ',']) {
        let (name, list) = rest.split_at(at);
        host += name;
        let Some((numbers, behind)) = list.strip_prefix('[').and_then(|list| list.split_once(']')) else {
            return host;
        };
        host += numbers.split(['-', ',']).next().unwrap_or_default();
        rest = behind;
    }
    host + rest
}

#[inline]
fn below(name: &'static str, number: usize, limit_name: &'static str, limit: usize) -> Result<()> {
    if number < limit {
        return Ok(());
    }
    Err(wrong(name, &number.to_string(), format!("it has to be less than {limit_name}={limit}")))
}

#[inline]
fn wrong(variable: &'static str, value: &str, reason: String) -> Error {
    Error::Environment { variable, value: value.trim().to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads variables written as a shell would.
    fn read(variables: &str) -> Result<Option<Launch>> {
        Launch::from_variables(|name| {
            let value = |pair: &str| pair.strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
            variables.split_whitespace().find_map(value)
        })
    }

    fn launch(variables: &str) -> Launch {
        read(variables).unwrap().unwrap()
    }

    /// As torchrun 2.9 with `--nproc-per-node 2` set them.
    const TORCHRUN: &str = "RANK=1 WORLD_SIZE=2 LOCAL_RANK=1 LOCAL_WORLD_SIZE=2 GROUP_RANK=0 MASTER_ADDR=localhost \
        MASTER_PORT=42043 TORCHELASTIC_RUN_ID=b084df64 TORCHELASTIC_USE_AGENT_STORE=True";
    /// As Open MPI 4.1 set them for `mpirun -n 2`.
    const OPEN_MPI: &str = "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=1 \
        OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_NODE_RANK=1 PMIX_NAMESPACE=455147521 PMIX_RANK=1";
    /// As MPICH 4.0 set them for `mpirun -n 2`.
    const HYDRA: &str = "PMI_RANK=1 PMI_SIZE=2 PMI_FD=8 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2";
    /// As Slurm 22.05 set them for `srun -n 4`.
    const SLURM: &str = "SLURM_PROCID=3 SLURM_NTASKS=4 SLURM_LOCALID=3 SLURM_NODEID=0 SLURM_JOB_ID=7 SLURM_STEP_ID=0 \
        SLURM_STEP_NUM_TASKS=4 SLURM_STEP_NODELIST=vm SLURM_STEP_TASKS_PER_NODE=4 SLURM_LAUNCH_NODE_IPADDR=127.0.0.1";

    #[test]
    fn variables_of_each_launcher_give_the_place_of_the_process() {
        let of = |launcher, rank, size, job: &str| Launch {
            launcher: Some(launcher),
            rank,
            size,
            local_rank: rank,
            local_size: Some(size),
            job: Some(job.to_owned()).filter(|job| !job.is_empty()),
            ..Launch::default()
        };
        // torchrun itself listens at the port that it names.
        let torchrun = Launch {
            address: Some("localhost".to_owned()),
            port: 42044,
            ..of(Launcher::Torchrun, 1, 2, "b084df64")
        };
        assert_eq!(launch(TORCHRUN), torchrun);
        assert_eq!(launch(OPEN_MPI), of(Launcher::OpenMpi, 1, 2, "455147521"));
        assert_eq!(launch(HYDRA), of(Launcher::Hydra, 1, 2, ""));
        assert_eq!(launch(SLURM), of(Launcher::Slurm, 3, 4, "7.0"));

        let own = launch("RANK=0 WORLD_SIZE=1 LOCAL_RANK=0 MASTER_ADDR=10.0.0.1 MASTER_PORT=1234");
        assert_eq!((own.address.as_deref(), own.port, own.local_size), (Some("10.0.0.1"), 1234, None));
        assert_eq!(read("PATH=/bin MASTER_ADDR=localhost RANK=").unwrap(), None);
    }

    #[test]
    fn the_launcher_inside_of_another_one_counts() {
        let launcher = |variables: &[&str]| launch(&variables.join(" ")).launcher;
        assert_eq!(launcher(&[SLURM, OPEN_MPI, TORCHRUN]), Some(Launcher::Torchrun));
        assert_eq!(launcher(&[SLURM, HYDRA, OPEN_MPI]), Some(Launcher::OpenMpi));
        assert_eq!(launcher(&[SLURM, HYDRA]), Some(Launcher::Hydra));
        // `srun --mpi=pmi2` sets these beside its own.
        assert_eq!(launcher(&[SLURM, "PMI_RANK=3 PMI_SIZE=4 PMI_FD=13"]), Some(Launcher::Slurm));
        // A batch script of Slurm is one process, whatever the number of tasks that it may start.
        assert!(read("SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0 SLURM_NODEID=0").unwrap().is_none());
    }

    #[test]
    fn what_is_missing_unreadable_or_contradicts_is_named() {
        for (variables, expected) in [
            ("RANK=one WORLD_SIZE=2 LOCAL_RANK=0", "RANK=one: it has to be a number from 0"),
            ("RANK=1 WORLD_SIZE=-2 LOCAL_RANK=0", "WORLD_SIZE=-2: it has to be a number from 0"),
            ("RANK=1", "RANK=1: WORLD_SIZE is not set, which belongs to it; set both or none"),
            ("WORLD_SIZE=2", "WORLD_SIZE=2: RANK is not set, which belongs to it; set both or none"),
            ("RANK=1 WORLD_SIZE=2", "RANK=1: LOCAL_RANK is not set, which belongs to it; set both or none"),
            (
                "PMI_RANK=1 PMI_SIZE=2",
                "PMI_RANK=1: MPI_LOCALRANKID is not set, which belongs to it; set both or none",
            ),
            ("RANK=2 WORLD_SIZE=2 LOCAL_RANK=0", "RANK=2: it has to be less than WORLD_SIZE=2"),
            ("RANK=0 WORLD_SIZE=0 LOCAL_RANK=0", "RANK=0: it has to be less than WORLD_SIZE=0"),
            (
                "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=4 OMPI_COMM_WORLD_LOCAL_SIZE=1",
                "OMPI_COMM_WORLD_LOCAL_RANK=4: it has to be less than OMPI_COMM_WORLD_LOCAL_SIZE=1",
            ),
            (
                "RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=8",
                "LOCAL_WORLD_SIZE=8: more ranks on this host than in all: WORLD_SIZE=2",
            ),
            (
                "RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 MASTER_PORT=0",
                "MASTER_PORT=0: it has to be a port from 1 to 65535",
            ),
            (
                "RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 MASTER_PORT=65535 TORCHELASTIC_USE_AGENT_STORE=True",
                "MASTER_PORT=65535: torchrun listens there, and there is no next port; take another",
            ),
            (
                "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 SLURM_LOCALID=0 SLURM_NODEID=0 SLURM_STEP_TASKS_PER_NODE=two",
                "SLURM_STEP_TASKS_PER_NODE=two: it has to be a list such as 4(x2),3",
            ),
            (
                "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 SLURM_LOCALID=0 SLURM_NODEID=3 SLURM_STEP_TASKS_PER_NODE=2(x3)",
                "SLURM_STEP_TASKS_PER_NODE=2(x3): it has no entry for SLURM_NODEID=3",
            ),
        ] {
            assert_eq!(read(variables).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn ranks_of_several_hosts_meet_at_the_first_host_of_the_step_or_need_an_address() {
        // As Slurm 22.05 set them for `srun -N 3 -n 5`.
        let step = "SLURM_PROCID=3 SLURM_NTASKS=5 SLURM_LOCALID=1 SLURM_NODEID=1 SLURM_STEP_NUM_NODES=3 \
            SLURM_STEP_NUM_TASKS=5 SLURM_STEP_TASKS_PER_NODE=2(x2),1 SLURM_STEP_NODELIST=gpu[07-09]";
        let slurm = launch(step);
        assert_eq!((slurm.local_size, slurm.address.as_deref()), (Some(2), Some("gpu07")));
        let last = launch(
            &step
                .replace("PROCID=3", "PROCID=4")
                .replace("LOCALID=1 SLURM_NODEID=1", "LOCALID=0 SLURM_NODEID=2"),
        );
        assert_eq!((last.local_rank, last.local_size), (0, Some(1)));
        for (list, first) in
            [("a", "a"), ("b2,b1", "b2"), ("r[1-2]n[03,05],x", "r1n03"), ("n[9-11]-ib", "n9-ib")]
        {
            assert_eq!(first_host(list), first);
        }

        let open_mpi =
            launch(&OPEN_MPI.replace("LOCAL_SIZE=2", "LOCAL_SIZE=1").replace("LOCAL_RANK=1", "LOCAL_RANK=0"));
        assert_eq!(open_mpi.address, None);
    }
}
