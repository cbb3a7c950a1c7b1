//! Versions, which say that they are emulated where this does not break programs.

use std::ffi::c_char;

use aclnn_sys::{ACL_PKG_NAME_DRIVER, aclCANNPackageName, aclCANNPackageVersion};

use crate::entry::{Out, entry_points, plain_parameters};
use crate::runtime::code;
use crate::settings;
use crate::status::Status;

/// The release as text, with `+emulated`.
fn release_text() -> String {
    let (major, minor, patch) = settings::get().release.numbers();
    format!("{major}.{minor}.{patch}+emulated")
}

/// `text` and zero bytes.
fn padded<const N: usize>(text: &str) -> [c_char; N] {
    let mut padded = [0; N];
    for (to, from) in padded.iter_mut().take(N - 1).zip(text.bytes()) {
        *to = from as c_char;
    }
    padded
}

plain_parameters! { aclCANNPackageName }

entry_points! { SYMBOLS:
    fn aclrtGetVersion(major: Out<i32>, minor: Out<i32>, patch: Out<i32>) -> i32 {
        let major = major.required("majorVersion", code::INVALID_PARAM)?;
        let minor = minor.required("minorVersion", code::INVALID_PARAM)?;
        let patch = patch.required("patchVersion", code::INVALID_PARAM)?;
        let interface = settings::get().release.interface();
        major.write(interface.0);
        minor.write(interface.1);
        patch.write(interface.2);
        Ok(())
    }

    fn aclsysGetCANNVersion(name: aclCANNPackageName, version: Out<aclCANNPackageVersion>) -> i32 {
        let place = version.required("version", code::INVALID_PARAM)?;
        if name.0 > ACL_PKG_NAME_DRIVER.0 {
            return Err(Status::new(code::INVALID_PARAM, format_args!("package {} is unknown", name.0)));
        }
        let (major, minor, patch) = settings::get().release.numbers();
        place.write(aclCANNPackageVersion {
            // Plugins treat a version that has more than numbers as an old one; the patch version says `emulated`.
            version: padded(&format!("{major}.{minor}.{patch}")),
            majorVersion: padded(&major.to_string()),
            minorVersion: padded(&minor.to_string()),
            releaseVersion: padded(&patch.to_string()),
            patchVersion: padded("emulated"),
            reserved: padded(""),
        });
        Ok(())
    }

    /// Every package has the one version; the buffer holds 128 bytes.
    fn aclsysGetVersionStr(package: Out<c_char>, version: Out<c_char>) -> i32 {
        package.required("pkgName", code::INVALID_PARAM)?;
        version.required("versionStr", code::INVALID_PARAM)?.write_text(&release_text());
        Ok(())
    }

    fn aclsysGetVersionNum(package: Out<c_char>, version: Out<i32>) -> i32 {
        package.required("pkgName", code::INVALID_PARAM)?;
        let (major, minor, patch) = settings::get().release.numbers();
        let number = major * 10_000_000 + minor * 100_000 + patch * 1_000;
        version.required("versionNum", code::INVALID_PARAM)?.write(number);
        Ok(())
    }
}
