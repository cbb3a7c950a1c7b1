//! With the feature `bindgen`, writes bindings of everything that the installed toolkit declares; without it, does
//! nothing.

#[cfg(feature = "bindgen")]
mod installed;

#[cfg(feature = "bindgen")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    installed::generate()
}

#[cfg(not(feature = "bindgen"))]
fn main() {
    println!("cargo::rerun-if-changed=build");
}
