//! Copies in parallel with computation: chunks of a large array are copied to the device, computed and copied back, in
//! turn on two streams, so that one chunk may be copied while another one is computed.
//!
//! To see it, let the emulator record what runs, and open the file in <https://ui.perfetto.dev>: each stream has a row.
//! `CANN_STUBS_STREAMS=worker CANN_STUBS_TRACE=overlap.json cargo run --release --example 06_overlap`

use aclnn::{DType, Device, Error, HostBuffer, Stream, Tensor, Transfer};

const CHUNK: usize = 1 << 18;
const CHUNKS: usize = 8;

/// A tensor on a stream of its own, and pinned memory for both ways.
struct Lane {
    input: Tensor,
    buffers: Vec<HostBuffer<f32>>,
    /// The number of the chunk on the way, and its copies to the device and back, which have the buffers meanwhile.
    on_the_way: Option<(usize, [Transfer<f32>; 2])>,
}

impl Lane {
    fn new(device: &Device) -> Result<Lane, Error> {
        let input = Tensor::zeros(&Stream::new(device)?, [CHUNK], DType::F32)?;
        let buffers = vec![HostBuffer::zeroed(device, CHUNK)?, HostBuffer::zeroed(device, CHUNK)?];
        Ok(Lane { input, buffers, on_the_way: None })
    }

    /// Queues a chunk: to the device, x² + 1, and back to the host. Nothing here waits for the device.
    fn start(&mut self, number: usize, chunk: &[f32]) -> Result<(), Error> {
        let (Some(mut there), Some(back)) = (self.buffers.pop(), self.buffers.pop()) else { return Ok(()) };
        there.copy_from_slice(chunk);
        let upload = self.input.upload(there)?;
        let download = self.input.mul(&self.input)?.add(1)?.download(back)?;
        self.on_the_way = Some((number, [upload, download]));
        println!("chunk {number} is queued");
        Ok(())
    }

    /// Waits for the chunk on the way and takes its result.
    fn finish(&mut self, results: &mut [f32]) -> Result<(), Error> {
        let Some((number, [upload, download])) = self.on_the_way.take() else { return Ok(()) };
        let back = download.wait()?;
        results[number * CHUNK..][..CHUNK].copy_from_slice(&back);
        self.buffers.extend([upload.wait()?, back]);
        println!("chunk {number} is back");
        Ok(())
    }
}

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;
    let values: Vec<f32> = (0..CHUNKS * CHUNK).map(|index| (index % 1000) as f32).collect();
    let mut results = vec![0.0; values.len()];

    let mut lanes = [Lane::new(&device)?, Lane::new(&device)?];
    for (number, chunk) in values.chunks_exact(CHUNK).enumerate() {
        // While the host waits for this lane, the other one works.
        let lane = &mut lanes[number % 2];
        lane.finish(&mut results)?;
        lane.start(number, chunk)?;
    }
    // Those on the way are the last but one and the last.
    for number in CHUNKS..CHUNKS + 2 {
        lanes[number % 2].finish(&mut results)?;
    }

    // All values and results are whole numbers below 2²⁴, so they are exact.
    let right = values.iter().zip(&results).filter(|(x, y)| **y == *x * *x + 1.0).count();
    println!("{right} of {} results are right", values.len());
    assert_eq!(right, values.len());
    Ok(())
}

// Output:
// chunk 0 is queued
// chunk 1 is queued
// chunk 0 is back
// chunk 2 is queued
// chunk 1 is back
// chunk 3 is queued
// chunk 2 is back
// chunk 4 is queued
// chunk 3 is back
// chunk 5 is queued
// chunk 4 is back
// chunk 6 is queued
// chunk 5 is back
// chunk 7 is queued
// chunk 6 is back
// chunk 7 is back
// 2097152 of 2097152 results are right
