//! Tensors as text. How NumPy prints the same elements is tested where the text is laid out.

use aclnn::{Complex, DType, Device, Error, Tensor};

use crate::support;

type Outcome = Result<(), Error>;

#[test]
fn elements_are_printed_with_type_shape_and_device() -> Outcome {
    let device = Device::open(0)?;
    let grid = Tensor::arange(&device, 0, 6, 1, DType::I32)?.reshape([2, 3])?;
    assert_eq!(grid.to_string(), "[[0, 1, 2],\n [3, 4, 5]]\ni32[2, 3] on device 0");
    assert_eq!(grid.transpose(0, 1)?.to_string(), "[[0, 3],\n [1, 4],\n [2, 5]]\ni32[3, 2] on device 0");
    assert_eq!(grid.select(0, 1)?.to_string(), "[3, 4, 5] i32[3] on device 0");
    assert_eq!(grid.select(0, 1)?.select(0, 2)?.to_string(), "5 i32[] on device 0");
    assert_eq!(grid.slice(1, 1..1)?.to_string(), "[]\ni32[2, 0] on device 0");
    let thirds = Tensor::from_slice(&device, &[1.0 / 3.0, 2.5f64], [2])?;
    assert_eq!(thirds.to_string(), "[0.33333333, 2.5       ] f64[2] on device 0");
    assert_eq!(format!("{thirds:.3}"), "[0.333, 2.5  ] f64[2] on device 0");
    assert_eq!(format!("{:.3}", thirds.display()?), "[0.333, 2.5  ] f64[2] on device 0");
    assert_eq!(format!("{thirds:?}"), "Tensor(f64[2] on device 0)");
    Ok(())
}

#[test]
fn types_are_printed_by_their_own_digits() -> Outcome {
    let device = Device::open(0)?;
    let third = Tensor::from_slice(&device, &[1.0f32 / 3.0], [])?;
    for (dtype, text) in
        [(DType::F32, "0.33333334"), (DType::F16, "0.3333"), (DType::BF16, "0.334"), (DType::Bool, "true")]
    {
        if dtype == DType::BF16 && !support::has_bf16(&device) {
            continue;
        }
        assert_eq!(third.cast(dtype)?.to_string(), format!("{text} {dtype}[] on device 0"));
    }
    let pair = Tensor::from_slice(&device, &[Complex::new(1.0f32, -2.0)], [1])?;
    assert_eq!(pair.to_string(), "[1.-2.j] c64[1] on device 0");
    for (dtype, bytes, text) in [
        (DType::I4, &[0x21, 0x0F][..], "[ 1,  2, -1] i4[3] on device 0"),
        (DType::F4E2M1, &[0x71, 0x09], "[ 0.5,  6. , -0.5] f4e2m1[3] on device 0"),
        (DType::F8E4M3FN, &[0x38, 0x7E, 0xFF], "[  1., 448.,  nan] f8e4m3fn[3] on device 0"),
        (DType::HiF8, &[0x38, 0x98, 0x80], "[ 0.125, -0.5  ,    nan] hif8[3] on device 0"),
    ] {
        assert_eq!(Tensor::from_bytes(&device, dtype, bytes, [3])?.to_string(), text);
    }
    Ok(())
}

#[test]
fn only_the_edges_of_large_tensors_are_printed() -> Outcome {
    let device = Device::open(0)?;
    let line = Tensor::arange(&device, 0, 1001, 1, DType::I32)?;
    assert_eq!(line.to_string(), "[   0,    1,    2, ...,  998,  999, 1000] i32[1001] on device 0");
    assert!(!line.slice(0, 0..1000)?.to_string().contains("..."));
    let plane =
        Tensor::arange(&device, 0, 1 << 20, 1, DType::I32)?.reshape([1 << 10, 1 << 10])?.transpose(0, 1)?;
    let text = plane.to_string();
    assert!(text.starts_with("[[      0,    1024,    2048, ..., 1045504, 1046528, 1047552],\n"), "{text}");
    assert!(text.ends_with("1046527, 1047551, 1048575]]\ni32[1024, 1024] on device 0"), "{text}");
    // Types that the device does not copy.
    let bytes: Vec<u8> = (0..1100u32).map(|i| (i % 16 + (i % 3) * 16) as u8).collect();
    let nibbles = Tensor::from_bytes(&device, DType::I4, &bytes, [20, 110])?;
    let text = nibbles.transpose(0, 1)?.to_string();
    assert_eq!(text.lines().next(), Some("[[ 0,  7, -2, ...,  7, -2,  5],"), "{text}");
    // More elements than any memory has.
    let endless = Tensor::ones(&device, [1], DType::F32)?.broadcast_to([1 << 40])?;
    assert_eq!(endless.to_string(), "[1., 1., 1., ..., 1., 1., 1.] f32[1099511627776] on device 0");
    // More axes than the device takes, when every long one is cut.
    let deep = Tensor::arange(&device, 0, 16807, 1, DType::I32)?.reshape([7, 7, 7, 7, 7])?;
    let text = deep.to_string();
    assert!(text.starts_with("[[[[[    0,     1,     2, ...,     4,     5,     6],"), "{text}");
    assert!(
        text.ends_with("[16800, 16801, 16802, ..., 16804, 16805, 16806]]]]]\ni32[7, 7, 7, 7, 7] on device 0"),
        "{text}"
    );
    Ok(())
}

#[test]
#[cfg(feature = "emulator")]
fn only_what_is_printed_is_read() -> Outcome {
    use cann_stubs::control;

    let device = Device::open(0)?;
    let plane = Tensor::zeros(&device, [1000, 1000], DType::F32)?;
    // Of a type that the device does not gather.
    let complex = Tensor::from_bytes(&device, DType::C32, &[0; 40_000], [100, 100])?;
    device.synchronize()?;
    // Of many short axes, which the device does not gather either.
    let deep = Tensor::zeros(&device, [6 * 6 * 6 * 6, 6 * 6 * 6 * 6], DType::F32)?.reshape(vec![6; 8])?;
    let deeper = deep.unsqueeze(0)?;
    let repeated = Tensor::ones(&device, [1], DType::F32)?.broadcast_to(vec![6; 11])?;
    let whole = complex.select(1, 7)?;
    device.synchronize()?;
    let tensors = [
        (&plane, 36),
        (&plane.transpose(0, 1)?, 36),
        (&plane.slice_step(1, 1..999, 2)?, 36),
        (&complex, 36),
        (&complex.slice_step(0, .., 3)?.transpose(0, 1)?, 36),
        (&whole, 100),
        (&deep, 10_000),
        (&deep.transpose(0, -1)?, 10_000),
        (&deeper.transpose(-2, -1)?, 10_000),
        // All of them are the same one.
        (&repeated, 1),
    ];
    for (tensor, most) in tensors {
        let mut text = String::new();
        let records = control::record(|| text = tensor.to_string());
        let printed = text.split_once("f32[").or(text.split_once("c32[")).map_or(0, |(elements, _)| {
            elements
                .split([',', '\n', ' ', '[', ']'])
                .filter(|word| word.starts_with(char::is_numeric))
                .count()
        });
        assert!(
            printed <= 10_000 && (text.contains("...") || printed == tensor.numel()),
            "{tensor:?}: {printed}"
        );
        let moved: usize = records.iter().map(|record| record.bytes).sum();
        // They are gathered, and copied to the host.
        assert!(moved <= 4 * 4 * printed.min(most), "{tensor:?}: {moved} bytes for {printed} elements");
        let embedded = device.backend().kind() == aclnn::BackendKind::Emulator;
        assert!(moved > 0 || !embedded);
    }
    // As many axes as there may be.
    let one = Tensor::ones(&device, (), DType::F32)?.reshape(vec![1; 20_000])?;
    let text = one.to_string();
    assert_eq!((text.matches('[').count(), text.matches("1.").count()), (20_001, 1));
    Ok(())
}

#[test]
#[cfg(feature = "emulator")]
fn what_cannot_be_read_is_said_in_its_place() -> Outcome {
    use cann_stubs::control::{self, When};

    let device = Device::open(0)?;
    if !support::is_embedded()? {
        return Ok(());
    }
    let tensor = Tensor::ones(&device, [2, 3], DType::F32)?;
    let fault = control::fail("aclrtMemcpy", When::Always, 507_015);
    let text = tensor.to_string();
    assert!(
        text.starts_with("<not readable: aclrtMemcpy returned 507015 ACL_ERROR_RT_AICORE_EXCEPTION"),
        "{text}"
    );
    assert!(text.ends_with("> f32[2, 3] on device 0"), "{text}");
    assert_eq!(tensor.display().map(|_| ()).unwrap_err().code(), Some(507_015));
    assert_eq!(format!("{tensor:?}"), "Tensor(f32[2, 3] on device 0)");
    drop(fault);
    assert_eq!(tensor.to_string(), "[[1., 1., 1.],\n [1., 1., 1.]]\nf32[2, 3] on device 0");
    Ok(())
}
