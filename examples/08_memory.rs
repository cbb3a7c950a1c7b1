//! Memory: the memory of dropped tensors is cached for later tensors. It can be counted, limited and returned to the
//! device. If there is not enough memory, an error says so and every tensor stays unchanged.

use aclnn::{DType, Device, Error, Tensor};

const MIB: usize = 1 << 20;

fn tell(when: &str, device: &Device) {
    let memory = device.memory_statistics();
    let [used, kept] = [memory.live, memory.cached].map(|bytes| bytes as f64 / MIB as f64);
    println!("{when:<12} {used:>2.0} MiB used, {kept:>2.0} MiB kept, {} from the device", memory.from_device);
}

fn main() -> Result<(), Error> {
    let device = Device::open(0)?;
    let mut tensor = Tensor::zeros(&device, [4 * MIB], DType::F32)?;
    tell("a tensor", &device);

    // Each sum takes the memory that the one before the last has left: the device is asked once more, not eight times.
    for _ in 0..8 {
        tensor = tensor.add(1)?;
    }
    tell("after 8 sums", &device);

    // What no tensor uses goes back to the device, in whole segments.
    device.trim()?;
    tell("trimmed", &device);

    // A limit, as where programs share a device.
    device.set_memory_limit(Some(64 * MIB));
    let mut copies = Vec::new();
    let refused = loop {
        match tensor.copy() {
            Ok(copy) => copies.push(copy),
            Err(error) => break error,
        }
    };
    tell("at the limit", &device);
    println!("{refused}");

    // Nothing has changed. With room again, work goes on.
    copies.clear();
    println!("after one more, all are {}", tensor.add(1)?.slice(0, ..1)?.item::<f32>()?);

    // Everything that is counted; the peaks tell how much a program needs.
    println!("{}", device.memory_statistics());
    Ok(())
}

// Output:
// a tensor     16 MiB used,  2 MiB kept, 1 from the device
// after 8 sums 16 MiB used, 20 MiB kept, 2 from the device
// trimmed      16 MiB used,  2 MiB kept, 2 from the device
// at the limit 48 MiB used,  6 MiB kept, 4 from the device
// copy(self f32[4194304]): 16777216 bytes and their padding on device 0, beside 56623104 held, would exceed the limit of 67108864: …
// after one more, all are 9
// live 16.0 MiB in 1 block (peak 48.0 MiB), …
