//! Searches the text cells of a database. Each cell is a text of its own, so no URL joins two.

use std::io;
use std::sync::Arc;

use urlgrep::Stats;
use urlgrep::archive::HEAD;

use super::output::{Collector, Worker};
use super::{SearchRun, hand_over};
use crate::cli::source::{InputFile, Source};
use crate::command::cells::{CellPlace, CellReader};
use std::ops::ControlFlow;

impl<W: Worker, C: Collector<Output = W::Output>> SearchRun<'_, W, C> {
    /// Searches the text cells of a database. They count as one file, and each match names its cell.
    pub(super) fn look_in_cells<R: io::Read>(
        &mut self,
        file: &Arc<InputFile>,
        mut source: Source<R>,
    ) -> io::Result<Stats> {
        let mut stats = Stats::default();
        let unread = match CellReader::copy(&mut source, file.path.as_deref())? {
            Err(why) => Some(why),
            Ok(mut cells) => {
                let mut failure = None;
                let why = cells.each(&mut |place, text| match self.cell(file, place, text, &mut stats) {
                    Ok(flow) => flow,
                    Err(error) => {
                        failure = Some(error);
                        ControlFlow::Break(())
                    }
                });
                if let Some(error) = failure {
                    return Err(error);
                }
                why
            }
        };
        if let Some(why) = unread {
            self.note_unread_as(file, format!("an SQLite database, not read whole: {why}"));
        }
        Ok(stats)
    }

    fn cell(
        &mut self,
        file: &Arc<InputFile>,
        place: &CellPlace<'_>,
        text: &[u8],
        stats: &mut Stats,
    ) -> io::Result<ControlFlow<()>> {
        let plan = self.setup.plan;
        let container = plan.open.recognise(&text[..text.len().min(HEAD)], b"");
        if container.has_documents() {
            let cell = file.cell(place.path().as_bytes());
            *stats += self.drive_reader(&cell, container, text, None, None)?;
            return Ok(ControlFlow::Continue(()));
        }
        // Most cells hold no URL. They need no output.
        let mut matches = plan.extractor.find_iter(text);
        if matches.next().is_none() {
            *stats += matches.stats();
            return Ok(ControlFlow::Continue(()));
        }
        let cell = file.cell(place.path().as_bytes());
        let mut flow = ControlFlow::Continue(());
        *stats += self.setup.follow_text(text, &cell, |selection| {
            flow = hand_over(&mut self.collector, &mut self.totals, &cell, selection);
            Ok(flow)
        })?;
        Ok(flow)
    }
}
