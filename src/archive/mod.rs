//! Floor 1: archives. Bytes in, parts out; knows nothing of URLs.

mod html;
