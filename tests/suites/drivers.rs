//! One text through every driver, and every cut of it. The suites share one binary, because each
//! binary links all dependencies.

#![allow(clippy::duplicate_mod, reason = "corpora run without the features that common needs")]

#[path = "../common/backend.rs"]
mod backend;
#[cfg(feature = "cli")]
#[path = "../common/carriers.rs"]
mod carriers;
#[cfg(feature = "parallel")]
#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "cli")]
#[path = "../common/forms.rs"]
mod forms;
#[path = "../../benches/text/mod.rs"]
mod text;

#[path = "../corpora.rs"]
mod corpora;
#[cfg(feature = "cli")]
#[path = "../damage.rs"]
mod damage;
#[cfg(feature = "parallel")]
#[path = "../explained.rs"]
mod explained;
#[cfg(feature = "parallel")]
#[path = "../heal.rs"]
mod heal;
#[cfg(feature = "parallel")]
#[path = "../live.rs"]
mod live;
#[cfg(feature = "cli")]
#[path = "../mail.rs"]
mod mail;
#[cfg(feature = "cli")]
#[path = "../mail_long.rs"]
mod mail_long;
#[cfg(feature = "parallel")]
#[path = "../properties.rs"]
mod properties;
#[cfg(feature = "cli")]
#[path = "../ranges.rs"]
mod ranges;
#[path = "../screens.rs"]
mod screens;
#[cfg(feature = "parallel")]
#[path = "../vectors.rs"]
mod vectors;
