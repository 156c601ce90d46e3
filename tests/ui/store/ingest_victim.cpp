// SPDX-License-Identifier: Apache-2.0
// Takes an endless run into the history file named on the command line, going on after its mark, until it is killed.
#include <QCoreApplication>
#include <cstdio>

#include "engine/base/clock.h"
#include "tests/ui/support/journal_text.h"
#include "ui/settings/path_text.h"
#include "ui/store/store_worker.h"

int main(int argc, char** argv) {
    using namespace unmask;
    const QCoreApplication application(argc, argv);
    ui::StoreOptions options;
    options.database = argv[1];
    options.annotations = options.database.string() + ".jsonl";
    ui::StoreWorker worker(options);
    worker.open();
    const QString key = worker.add(RunFolder{"/nowhere/victim"}, test::describeRun("victim"));
    const auto known = worker.known(key);
    if (!known)
        return 1;
    for (int64_t seq = known->mark.seq + 1;; seq += 100) {
        auto batch = std::make_shared<RecordBatch>();
        batch->afterSeq = seq - 1;
        for (int64_t i = seq; i < seq + 100; ++i)
            appendLine(*batch,
                       encodeRecord({i, 1, utcNow(), i, MetricsEvent{i, 1.0, {{"train/loss", 1.0 / double(i)}}}}));
        if (worker.ingest(key, batch) != ui::IngestOutcome::stored)
            return 2;
        std::puts("stored");
        std::fflush(stdout);
    }
}
