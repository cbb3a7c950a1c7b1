//! Graphs of captured calls: a replay computes what the calls compute when they run one by one, which is the reference.

use aclnn::{DType, Device, Error, Graph, HostBuffer, Result, Stream, Tensor, ops};

use crate::support;

/// Captures on a stream; `None` where the library is older than captured graphs.
fn capture<T>(stream: &Stream, body: impl FnOnce() -> Result<T>) -> Option<Result<(Graph, T)>> {
    match stream.capture(body) {
        Err(Error::MissingSymbol(_)) => {
            support::skipped("the library does not capture graphs");
            None
        }
        captured => Some(captured),
    }
}

/// A small network of several operators, with temporary tensors that are dropped on the way.
fn network(x: &Tensor, weight: &Tensor, bias: &Tensor) -> Result<Tensor> {
    let product = |x: &Tensor| ops::matmul(x, weight).precision(support::precision(x.device())).run();
    let hidden = ops::add(&product(x)?, bias).run()?.relu()?;
    let scaled = ops::mul(&hidden, 0.5).run()?;
    ops::add(&product(&scaled)?, bias).run()?.softmax(1)
}

#[test]
fn a_replay_computes_what_the_calls_compute() -> Result<()> {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let weight: Vec<f32> = (0..16).map(|number| number as f32 / 16.0 - 0.4).collect();
    let weight = Tensor::from_slice(&stream, &weight, [4, 4])?;
    let bias = Tensor::from_slice(&stream, &[0.1_f32, -0.2, 0.3, 0.0], [4])?;
    let mut x = Tensor::ones(&stream, [3, 4], DType::F32)?;
    let Some(captured) = capture(&stream, || network(&x, &weight, &bias)) else { return Ok(()) };
    let (graph, y) = captured?;
    for round in 0..4 {
        let values: Vec<f32> = (0..12).map(|number| (number * (round + 1)) as f32 / 7.0 - 1.0).collect();
        x.copy_from_slice(&values)?;
        graph.replay()?;
        // What comes between two replays gets none of their memory.
        let expected = network(&x, &weight, &bias)?.to_vec::<f32>()?;
        assert_eq!(y.to_vec::<f32>()?, expected);
        // Nor does the graph need its operands' handles.
        let other = Tensor::zeros(&stream, [64, 64], DType::F32)?;
        graph.replay()?;
        assert_eq!(y.to_vec::<f32>()?, expected);
        assert_eq!(other.to_vec::<f32>()?, [0.0; 64 * 64]);
    }
    assert_eq!(graph.stream().device(), &device);
    assert!(!graph.as_raw().is_null());
    Ok(())
}

#[test]
fn replays_are_in_order_with_other_streams() -> Result<()> {
    let device = Device::open(0)?;
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut x = Tensor::zeros(&stream, [1000], DType::F32)?;
    // The sum changes with each replay.
    let mut sum = Tensor::zeros(&stream, [1000], DType::F32)?;
    let body = || sum.add_in_place(&x);
    let Some(captured) = capture(&stream, body) else { return Ok(()) };
    let (graph, ()) = captured?;
    let mut expected = 0.0;
    for round in 1..=20 {
        x.copy_from(&ops::add(&Tensor::zeros(&other, [1000], DType::F32)?, round).on(&other).run()?)?;
        graph.replay()?;
        expected += round as f32;
        assert_eq!(ops::mul(&sum, 2).on(&other).run()?.to_vec::<f32>()?, [2.0 * expected; 1000]);
    }
    // The memory lives as long as the graph.
    drop((x, sum));
    graph.replay()?;
    stream.synchronize()
}

#[test]
fn a_capture_refuses_what_graphs_do_not_hold() -> Result<()> {
    let device = Device::open(0)?;
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let x = Tensor::ones(&stream, [4], DType::F32)?;
    let foreign = Tensor::ones(&other, [4], DType::F32)?;
    let event = other.record()?;
    let Some(first) = capture(&stream, || x.add(1)) else { return Ok(()) };
    first?;
    let refused: [(&str, &dyn Fn() -> Result<()>); 8] = [
        ("read", &|| x.add(1)?.to_vec::<f32>().map(drop)),
        ("wait", &|| stream.synchronize()),
        ("ask", &|| stream.query().map(drop)),
        ("device", &|| device.synchronize()),
        ("event", &|| stream.record().map(drop)),
        ("wait for an event", &|| stream.wait(&event)),
        ("capture", &|| stream.capture(|| Ok(())).map(drop)),
        ("another stream", &|| ops::add(&x, &foreign).on(&other).run()?.to_vec::<f32>().map(drop)),
    ];
    for (name, call) in refused {
        let message = stream.capture(call).map(drop).unwrap_err().to_string();
        assert!(message.contains("captured"), "{name}: {message}");
        // Nothing is left of the capture.
        assert_eq!(x.add(2)?.to_vec::<f32>()?, [3.0; 4], "{name}");
    }
    // Work of other streams goes on, and is not captured.
    stream.capture(|| foreign.add(1)?.to_vec::<f32>().map(|sum| assert_eq!(sum, [2.0; 4])))?;
    // Nor are elements copied while they are used later; a buffer of the host comes back.
    let buffer = HostBuffer::from_slice(&device, &[5.0_f32; 4])?;
    let mut own = Tensor::ones(&stream, [4], DType::F32)?;
    let (_, (refused, slice)) =
        stream.capture(|| Ok((own.upload(buffer).map(drop), own.copy_from_slice(&[5.0_f32; 4]))))?;
    let refused = refused.expect_err("the stream is captured");
    assert!(matches!((refused.error(), slice), (Error::Capture { .. }, Err(Error::Capture { .. }))));
    assert_eq!(*refused.into_handle().expect("it was not used"), [5.0; 4]);
    assert_eq!(own.to_vec::<f32>()?, [1.0; 4]);
    // Another thread cannot slip work into a graph.
    let (_, from_thread) = stream.capture(|| {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| x.add(1).map(drop));
            Ok(thread.join().expect("no panic"))
        })
    })?;
    assert!(matches!(from_thread, Err(Error::Capture { .. })), "{from_thread:?}");
    Ok(())
}

#[test]
fn a_body_that_fails_or_panics_leaves_the_stream_as_it_was() -> Result<()> {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let x = Tensor::ones(&stream, [4], DType::F32)?;
    let Some(failed) = capture(&stream, || x.add(&Tensor::ones(&stream, [3], DType::F32)?)) else {
        return Ok(());
    };
    assert!(matches!(failed.map(drop), Err(Error::Broadcast { .. })));
    assert_eq!(x.add(1)?.to_vec::<f32>()?, [2.0; 4]);
    let panicking = std::panic::AssertUnwindSafe(|| {
        let _ = stream.capture(|| -> Result<()> { panic!("the body panics") });
    });
    assert!(std::panic::catch_unwind(panicking).is_err());
    assert_eq!(x.add(1)?.to_vec::<f32>()?, [2.0; 4]);
    let (graph, y) = stream.capture(|| x.add(1))?;
    graph.replay()?;
    assert_eq!(y.to_vec::<f32>()?, [2.0; 4]);
    Ok(())
}

#[test]
fn threads_replay_a_graph_one_after_the_other() -> Result<()> {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let mut count = Tensor::zeros(&stream, [8], DType::F32)?;
    let Some(captured) = capture(&stream, || count.add_in_place(1)) else { return Ok(()) };
    let (graph, ()) = captured?;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).try_for_each(|_| graph.replay()));
        }
    });
    assert_eq!(count.to_vec::<f32>()?, [100.0; 8]);
    Ok(())
}
