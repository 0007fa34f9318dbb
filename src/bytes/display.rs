//! How values with a name are displayed.

/// Implements `Display` for a type by a method that returns its name. Obeys the width and the
/// alignment of the format string.
macro_rules! display {
    ($name:ty, $method:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.$method())
            }
        }
    };
}
pub(crate) use display;
