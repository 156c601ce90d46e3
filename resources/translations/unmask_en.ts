<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
    <context>
        <name>Chart</name>
        <message numerus="yes">
            <source>%n more</source>
            <translation>
                <numerusform>%n more</numerusform>
                <numerusform>%n more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln point(s) here</source>
            <translation>
                <numerusform>%Ln point here</numerusform>
                <numerusform>%Ln points here</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln not a number</source>
            <translation>
                <numerusform>%Ln not a number</numerusform>
                <numerusform>%Ln not a number</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ChartSummary</name>
        <message numerus="yes">
            <source>%Ln point(s)</source>
            <translation>
                <numerusform>%Ln point</numerusform>
                <numerusform>%Ln points</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>LayoutWords</name>
        <message numerus="yes">
            <source>Holds all %n layer(s).</source>
            <translation>
                <numerusform>Holds all %n layer.</numerusform>
                <numerusform>Holds all %n layers.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LayoutFiguresPane</name>
        <message numerus="yes">
            <source>%n micro-batch(es) a rank</source>
            <translation>
                <numerusform>%n micro-batch a rank</numerusform>
                <numerusform>%n micro-batches a rank</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LogTab</name>
        <message numerus="yes">
            <source>%n line(s)</source>
            <translation>
                <numerusform>%n line</numerusform>
                <numerusform>%n lines</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LogView</name>
        <message numerus="yes">
            <source>%Ln line(s)</source>
            <translation>
                <numerusform>%Ln line</numerusform>
                <numerusform>%Ln lines</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::MainWindow</name>
        <message numerus="yes">
            <source>%n run(s) continue without this window.</source>
            <translation>
                <numerusform>%n run continues without this window.</numerusform>
                <numerusform>%n runs continue without this window.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::PlanPane</name>
        <message numerus="yes">
            <source>%n CPU core(s)</source>
            <translation>
                <numerusform>%n CPU core</numerusform>
                <numerusform>%n CPU cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n thing(s) to mend before Start</source>
            <translation>
                <numerusform>%n thing to mend before Start</numerusform>
                <numerusform>%n things to mend before Start</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n warning</numerusform>
                <numerusform>%n warnings</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RailButton</name>
        <message numerus="yes">
            <source>%1, %n warning(s)</source>
            <translation>
                <numerusform>%1, %n warning</numerusform>
                <numerusform>%1, %n warnings</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1, %n error(s)</source>
            <translation>
                <numerusform>%1, %n error</numerusform>
                <numerusform>%1, %n errors</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunActions</name>
        <message numerus="yes">
            <source>Compare %n run(s)</source>
            <translation>
                <numerusform>Compare %n run</numerusform>
                <numerusform>Compare %n runs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunLink</name>
        <message numerus="yes">
            <source>the bridge has said nothing for %n second(s)</source>
            <translation>
                <numerusform>the bridge has said nothing for %n second</numerusform>
                <numerusform>the bridge has said nothing for %n seconds</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunsPage</name>
        <message numerus="yes">
            <source>History is being rebuilt from %n run folder(s) (%1 done)</source>
            <translation>
                <numerusform>History is being rebuilt from %n run folder (%1 done)</numerusform>
                <numerusform>History is being rebuilt from %n run folders (%1 done)</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n run</numerusform>
                <numerusform>%n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 of %n run(s)</source>
            <translation>
                <numerusform>%1 of %n run</numerusform>
                <numerusform>%1 of %n runs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SamplesTab</name>
        <message numerus="yes">
            <source>%n sample(s), newest first</source>
            <translation>
                <numerusform>%n sample, newest first</numerusform>
                <numerusform>%n samples, newest first</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SettingsPage</name>
        <message numerus="yes">
            <source>%n run(s), index of %1. It can be rebuilt from the run folders at any time.</source>
            <translation>
                <numerusform>%n run, index of %1. It can be rebuilt from the run folders at any time.</numerusform>
                <numerusform>%n runs, index of %1. It can be rebuilt from the run folders at any time.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) read.</source>
            <translation>
                <numerusform>%n run read.</numerusform>
                <numerusform>%n runs read.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StatusStrip</name>
        <message numerus="yes">
            <source>%n run(s) active</source>
            <translation>
                <numerusform>%n run active</numerusform>
                <numerusform>%n runs active</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StopDialog</name>
        <message numerus="yes">
            <source>There is no checkpoint yet: all work (%n step(s), %1) is lost.</source>
            <translation>
                <numerusform>There is no checkpoint yet: all work (%n step, %1) is lost.</numerusform>
                <numerusform>There is no checkpoint yet: all work (%n steps, %1) is lost.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>There is no checkpoint yet: all work (%n step(s)) is lost.</source>
            <translation>
                <numerusform>There is no checkpoint yet: all work (%n step) is lost.</numerusform>
                <numerusform>There is no checkpoint yet: all work (%n steps) is lost.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Work since step %1 (%n step(s), %2) is lost.</source>
            <translation>
                <numerusform>Work since step %1 (%n step, %2) is lost.</numerusform>
                <numerusform>Work since step %1 (%n steps, %2) is lost.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Work since step %1 (%n step(s)) is lost.</source>
            <translation>
                <numerusform>Work since step %1 (%n step) is lost.</numerusform>
                <numerusform>Work since step %1 (%n steps) is lost.</numerusform>
            </translation>
        </message>
    </context>
</TS>
