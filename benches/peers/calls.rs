//! What a call costs: one element, in a loop, through the safe layer, with checks, among many tensors and streams, with
//! fresh memory, with many elements, and on two processors.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use std::{env, io, ptr, thread};

use aclnn::sys::{ACL_FLOAT, ACL_FORMAT_ND, aclOpExecutor, aclScalar, aclTensor};
use aclnn::{DType, Device, Stream, Tensor, ops};
use cann_stubs::control::{self, Level};
use serde_json::{Value, json};

use super::items::{ITEMS, Item};
use super::limit::{Pass, Stores};
use super::ours::{Call, batches};
use super::processors;
use super::subject::{Plan, Runner, Subject};
use super::{Options, Result, allocations};

/// The elements of 64 MiB.
const FRESH: usize = (64 << 20) / 4;
/// The bytes of a pass from which on it is faster past the caches.
const CACHED: usize = 12 << 20;
/// The calls over which allocations are counted.
const COUNTED: u64 = 256;

/// Plans all that is about calls. Two processors are compared with one where the process was free to use them.
pub(crate) fn plans(processors: &Option<Vec<usize>>) -> Vec<Plan<'static>> {
    let plan = |title: &str, make: fn(&Device) -> Result<Subject>| Plan::new(title.to_owned(), make);
    let mut plans = vec![
        plan("one element", one_element),
        plan("loop", in_a_loop),
        plan("safe and raw", safe_and_raw),
        plan("checks", checks),
        plan("live tensors", live_tensors),
        plan("streams", streams),
        plan("fresh memory", fresh_memory),
    ];
    for name in ["f32 + f32", "f16 → f32"] {
        plans.push(Plan::new(format!("growth: {name}"), move |device| growth(device, name)));
    }
    if let Some([first, second, ..]) = processors.as_deref() {
        let (one, both) = (first.to_string(), format!("{first},{second}"));
        for name in ["f32 + f32", "f16 + f32", "f32 → f8e4m3"] {
            for elements in [10_000, 100_000, 1_000_000, 10_000_000] {
                let (one, both) = (one.clone(), both.clone());
                let title = format!("threads: {name}, {elements} elements");
                plans.push(Plan::new(title, move |_| two_threads(name, elements, [&one, &both])));
            }
        }
    }
    plans
}

fn about(kind: &str, item: &str, size: usize) -> Value {
    json!({ "kind": kind, "item": item, "size": size })
}

fn one_element(device: &Device) -> Result<Subject> {
    let sum = Rc::new(Sum::new(&device.stream(), 1)?);
    let (complete, planned, kept, safe) = (sum.clone(), sum.clone(), sum.clone(), sum.clone());
    let operands = sum.describe()?;
    let safe_calls = || (0..COUNTED).try_for_each(|_| sum.run_into().and_then(|()| sum.wait()));
    safe_calls()?;
    let before = allocations::count();
    assert!(before > 0, "allocations are counted");
    safe_calls()?;
    let allocated = (allocations::count() - before) as f64 / COUNTED as f64;
    let runners = vec![
        Runner::new("through C", 1, times(move || complete.complete().and_then(|()| complete.wait()))),
        Runner::new(
            "through C, descriptors kept",
            1,
            times(move || {
                planned.launch(planned.plan(&operands)?)?;
                planned.wait()
            }),
        ),
        Runner::new(
            "through C, executor kept",
            1,
            times(move || kept.launch(kept.executor).and_then(|()| kept.wait())),
        ),
        Runner::new("safe layer", 1, times(move || safe.run_into().and_then(|()| safe.wait()))),
    ];
    let mut about = about("one element", "one call and the wait", 1);
    // Those of the emulator are among them, which runs in this process.
    about["allocations"] = allocated.into();
    Ok(Subject::new(about, runners))
}

/// Calls without a wait in the time that is taken.
fn in_a_loop(device: &Device) -> Result<Subject> {
    let sum = Rc::new(Sum::new(&device.stream(), 1)?);
    let unwaited = |sum: &Rc<Sum>, call: fn(&Sum) -> Result<()>| {
        let sum = sum.clone();
        move |times: usize| {
            let mut time = Duration::ZERO;
            for calls in batches(times) {
                let start = Instant::now();
                (0..calls).try_for_each(|_| call(&sum))?;
                time += start.elapsed();
                sum.wait()?;
            }
            Ok(time)
        }
    };
    let runners = vec![
        Runner::timed("run_into", 1, unwaited(&sum, Sum::run_into)),
        Runner::timed("through C, executor kept", 1, unwaited(&sum, |sum| sum.launch(sum.executor))),
        Runner::new("through C, executor kept, with the run", 1, move |times| {
            batches(times).try_for_each(|launches| {
                (0..launches).try_for_each(|_| sum.launch(sum.executor))?;
                sum.wait()
            })
        }),
    ];
    Ok(Subject::new(about("loop", "repeated call, no wait", 1), runners))
}

/// A launch of the executor that is kept is what the safe layer comes to.
fn safe_and_raw(device: &Device) -> Result<Subject> {
    let sum = Rc::new(Sum::new(&device.stream(), 10_000)?);
    let (raw, complete, safe) = (sum.clone(), sum.clone(), sum);
    let runners = vec![
        Runner::new(
            "raw, executor kept",
            1,
            times(move || raw.launch(raw.executor).and_then(|()| raw.wait())),
        ),
        Runner::new("raw, both phases", 1, times(move || complete.complete().and_then(|()| complete.wait()))),
        Runner::new("safe", 1, times(move || safe.run_into().and_then(|()| safe.wait()))),
    ];
    Ok(Subject::new(about("safe and raw", "one call and the wait", 10_000), runners))
}

fn checks(device: &Device) -> Result<Subject> {
    let runners = [("at their default", None), ("off", Some(Level::Off))].map(|(name, level)| {
        let device = device.clone();
        Runner::timed(name, 1, move |times| {
            let _level = level.map(control::check_everywhere);
            // New memory of the library: what was there before a change of the level is checked no more.
            device.trim()?;
            let sum = Sum::new(&device.stream(), 10_000)?;
            sum.run_into()?;
            sum.wait()?;
            let start = Instant::now();
            (0..times).try_for_each(|_| sum.run_into().and_then(|()| sum.wait()))?;
            Ok(start.elapsed())
        })
    });
    Ok(Subject::new(about("checks", "safe call and the wait", 10_000), runners.into()))
}

/// The other tensors are made before the clock starts, and end after it.
fn live_tensors(device: &Device) -> Result<Subject> {
    let sum = Rc::new(Sum::new(&device.stream(), 1)?);
    let runners = [1, 100, 10_000, 100_000].map(|live| {
        let (sum, device) = (sum.clone(), device.clone());
        Runner::timed(live.to_string(), 1, move |times| {
            let others: aclnn::Result<Vec<Tensor>> =
                (1..live).map(|_| Tensor::empty(&device, [1], DType::F32)).collect();
            let others = others?;
            sum.complete()?;
            sum.wait()?;
            let start = Instant::now();
            for _ in 0..times {
                sum.complete()?;
                sum.run_into()?;
                sum.wait()?;
            }
            let time = start.elapsed();
            drop(others);
            Ok(time)
        })
    });
    Ok(Subject::new(about("live tensors", "call through C, safe call, wait", 1), runners.into()))
}

/// Calls that go to one stream after the other.
fn streams(device: &Device) -> Result<Subject> {
    let mut runners = Vec::new();
    for count in [1, 8, 64] {
        let sums: Result<Vec<Sum>> = (0..count).map(|_| Sum::new(&Stream::new(device)?, 1)).collect();
        let sums = sums?;
        runners.push(Runner::new(count.to_string(), 1, move |times| {
            for sum in sums.iter().cycle().take(times) {
                sum.complete()?;
                sum.run_into()?;
                sum.wait()?;
            }
            Ok(())
        }));
    }
    Ok(Subject::new(about("streams", "call through C, safe call, wait", 1), runners))
}

fn fresh_memory(device: &Device) -> Result<Subject> {
    let ones = || Tensor::ones(device, [FRESH], DType::F32);
    let (a, b, stream) = (ones()?, ones()?, device.stream());
    let runner = Runner::new(
        "this project",
        FRESH,
        times(move || {
            let sum = a.add(&b)?;
            stream.synchronize()?;
            drop(sum);
            Ok(())
        }),
    );
    Ok(Subject::new(about("fresh memory", "allocate, add and free 64 MiB", FRESH), vec![runner]))
}

fn growth(device: &Device, name: &'static str) -> Result<Subject> {
    let item = item(name)?;
    let mut runners = Vec::new();
    for elements in [10_000_000, 50_000_000, 200_000_000] {
        let shape = item.shape(elements);
        let call = Call::new(device, item, &shape)?;
        runners.push(Runner::new(elements.to_string(), elements, move |times| Ok(call.run(times)?)));
        let (read, written) = item.bytes(&shape);
        let mut pass = Pass::new(&read, written);
        runners.push(Runner::new(format!("limit {elements}"), elements, move |times| {
            (0..times).for_each(|_| pass.run(Stores::Streaming));
            Ok(())
        }));
    }
    Ok(Subject::new(about("growth", name, 200_000_000), runners))
}

fn item(name: &str) -> Result<&'static Item> {
    ITEMS.iter().find(|item| item.name == name).ok_or_else(|| format!("there is no item {name}").into())
}

/// Calls `call` as often as it is told.
fn times(mut call: impl FnMut() -> Result<()>) -> impl FnMut(usize) -> Result<()> {
    move |times| (0..times).try_for_each(|_| call())
}

/// A sum of two tensors through C, as a careful program calls it, and through the safe layer.
struct Sum {
    stream: Stream,
    inputs: [Tensor; 2],
    out: RefCell<Tensor>,
    /// The same memory as `out`.
    target: Tensor,
    operands: Operands,
    /// A repeatable one.
    executor: *mut aclOpExecutor,
}

struct Operands {
    tensors: [*mut aclTensor; 3],
    alpha: *mut aclScalar,
}

impl Sum {
    fn new(stream: &Stream, elements: usize) -> Result<Self> {
        let ones = || Tensor::ones(stream, [elements], DType::F32);
        let (inputs, out) = ([ones()?, ones()?], ones()?);
        stream.synchronize()?;
        let operands = Operands { tensors: [ptr::null_mut(); 3], alpha: ptr::null_mut() };
        let (target, out, executor) = (out.clone(), RefCell::new(out), ptr::null_mut());
        let mut sum = Self { stream: stream.clone(), inputs, out, target, operands, executor };
        sum.operands = sum.describe()?;
        // An executor whose plan the library keeps cannot be repeated.
        let _none = control::executor_cache(0);
        sum.executor = sum.plan(&sum.operands)?;
        // SAFETY: fresh from phase one.
        let code = unsafe { stream.device().backend().meta().aclSetAclOpExecutorRepeatable(sum.executor)? };
        assert_eq!(code, 0);
        Ok(sum)
    }

    fn describe(&self) -> Result<Operands> {
        let meta = self.stream.device().backend().meta();
        let (dims, strides) = ([self.target.numel() as i64], [1]);
        let mut one = 1f32;
        let mut tensors = [ptr::null_mut(); 3];
        let [a, b] = &self.inputs;
        for (tensor, memory) in tensors.iter_mut().zip([a, b, &self.target]) {
            let (dims, strides) = (dims.as_ptr(), strides.as_ptr());
            // SAFETY: arrays of one element, and memory of a tensor of that size.
            *tensor = unsafe {
                meta.aclCreateTensor(dims, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 1, memory.as_raw())?
            };
        }
        // SAFETY: an f32 with its code.
        let alpha = unsafe { meta.aclCreateScalar((&raw mut one).cast(), ACL_FLOAT)? };
        Ok(Operands { tensors, alpha })
    }

    fn plan(&self, operands: &Operands) -> Result<*mut aclOpExecutor> {
        let ([a, b, out], (mut size, mut executor)) = (operands.tensors, (0, ptr::null_mut()));
        let add = self.stream.device().backend().operators().Add()?;
        // SAFETY: live descriptors, and valid places for the results.
        let code = unsafe { add.get_workspace_size(a, b, operands.alpha, out, &mut size, &mut executor) };
        assert_eq!((code, size), (0, 0));
        Ok(executor)
    }

    fn launch(&self, executor: *mut aclOpExecutor) -> Result<()> {
        let add = self.stream.device().backend().operators().Add()?;
        // SAFETY: an executor of this operator, which needs no workspace.
        assert_eq!(unsafe { add.launch(ptr::null_mut(), 0, executor, self.stream.as_raw()) }, 0);
        Ok(())
    }

    fn destroy(&self, operands: &Operands) -> Result<()> {
        let meta = self.stream.device().backend().meta();
        for tensor in operands.tensors {
            // SAFETY: made by `describe`.
            assert_eq!(unsafe { meta.aclDestroyTensor(tensor)? }, 0);
        }
        // SAFETY: as above.
        assert_eq!(unsafe { meta.aclDestroyScalar(operands.alpha)? }, 0);
        Ok(())
    }

    /// Makes descriptors, runs both phases and destroys the descriptors.
    fn complete(&self) -> Result<()> {
        let operands = self.describe()?;
        self.launch(self.plan(&operands)?)?;
        self.destroy(&operands)
    }

    /// Waits as C does.
    fn wait(&self) -> Result<()> {
        // SAFETY: a live stream.
        let code =
            unsafe { self.stream.device().backend().runtime().aclrtSynchronizeStream(self.stream.as_raw())? };
        assert_eq!(code, 0);
        Ok(())
    }

    fn run_into(&self) -> Result<()> {
        let [a, b] = &self.inputs;
        Ok(ops::add(a, b).run_into(&mut self.out.borrow_mut())?)
    }
}

impl Drop for Sum {
    fn drop(&mut self) {
        // SAFETY: no launch uses it, since all wait.
        let _ = unsafe { self.stream.device().backend().meta().aclDestroyAclOpExecutor(self.executor) };
        let _ = self.destroy(&self.operands);
    }
}

/// The number of threads of the emulator is that of the processors of its process. So one thread and two are processes of
/// their own, both of which sleep between their turns.
fn two_threads(name: &'static str, elements: usize, processors: [&str; 2]) -> Result<Subject> {
    let mut runners = Vec::new();
    for (prefix, task) in [("", Task::Compute), ("limit, ", Task::Move)] {
        for (count, processors) in ["one thread", "two threads"].into_iter().zip(processors) {
            let mut other = Other::start(name, elements, processors, task)?;
            runners
                .push(Runner::timed(format!("{prefix}{count}"), elements, move |times| other.sample(times)));
        }
    }
    let mut about = item(name)?.describe(elements);
    about["kind"] = "threads".into();
    Ok(Subject::new(about, runners))
}

/// What another process does with an item.
#[derive(Clone, Copy, PartialEq)]
enum Task {
    Compute,
    /// Moves its bytes, with a thread on each processor that moves its share and never waits for the others: what the
    /// machine has to give.
    Move,
}

/// Returns a pass for each thread, over its share of the bytes.
fn passes(item: &Item, elements: usize, threads: usize) -> Vec<Pass> {
    let (read, written) = item.bytes(&item.shape(elements));
    let share = |bytes: usize| bytes / threads;
    (0..threads)
        .map(|_| Pass::new(&read.iter().copied().map(share).collect::<Vec<_>>(), share(written)))
        .collect()
}

/// Runs each pass so often, all at the same time, by the stores that are faster for so many bytes. Each has a processor, since
/// the system may leave new threads on one of them.
fn pass_together(passes: &mut [Pass], processors: &[usize], times: usize) {
    let run = |pass: &mut Pass| {
        let stores = if pass.bytes() > CACHED { Stores::Streaming } else { Stores::Cached };
        (0..times).for_each(|_| pass.run(stores));
    };
    match passes {
        [pass] => run(pass),
        passes => thread::scope(|scope| {
            for (pass, processor) in passes.iter_mut().zip(processors) {
                scope.spawn(|| {
                    processors::stay_on(&[*processor]);
                    run(pass);
                });
            }
        }),
    }
}

/// A process that computes an item.
struct Other {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Other {
    fn start(name: &str, elements: usize, processors: &str, task: Task) -> Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        command.args(["--processors", processors, "--item", name]).arg(elements.to_string());
        command.args((task == Task::Move).then_some("--limit"));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("both are pipes")
        };
        Ok(Self { process, input, output: BufReader::new(output) })
    }

    /// Lets it take a sample.
    fn sample(&mut self, times: usize) -> Result<Duration> {
        writeln!(self.input, "{times}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(Duration::from_nanos(line.trim().parse()?))
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Computes the item of the options on some processors, or moves its bytes, for another process.
pub(crate) fn compute_for_another(options: &Options) -> Result<()> {
    let numbers: std::result::Result<Vec<usize>, _> = options.processors.split(',').map(str::parse).collect();
    let numbers = numbers?;
    if !processors::stay_on(&numbers) {
        return Err("the process cannot be bound to these processors".into());
    }
    let (item, elements) = (item(&options.item)?, options.sizes[0]);
    if options.limit {
        let mut passes = passes(item, elements, numbers.len());
        // So often that the start of the threads weighs little.
        return answer(16, |times| {
            pass_together(&mut passes, &numbers, times);
            Ok(())
        });
    }
    let device = Device::open(0)?;
    let call = Call::new(&device, item, &item.shape(elements))?;
    answer(1, |times| Ok(call.run(times)?))
}

/// Runs `more` times as often as each line says, and prints the nanoseconds of one `more`th.
fn answer(more: usize, mut run: impl FnMut(usize) -> Result<()>) -> Result<()> {
    for line in io::stdin().lock().lines() {
        let times: usize = line?.parse()?;
        let start = Instant::now();
        run(more * times)?;
        println!("{}", start.elapsed().as_nanos() / more as u128);
    }
    Ok(())
}
