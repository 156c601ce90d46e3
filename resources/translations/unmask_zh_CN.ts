<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>AxisTicks</name>
        <message>
            <source>%1 B</source>
            <translation>%1 B</translation>
        </message>
        <message>
            <source>%1 M</source>
            <translation>%1 M</translation>
        </message>
        <message>
            <source>%1 k</source>
            <translation>%1 k</translation>
        </message>
        <message>
            <source>%1 d</source>
            <translation>%1 天</translation>
        </message>
        <message>
            <source>%1 h</source>
            <translation>%1 小时</translation>
        </message>
        <message>
            <source>%1 min</source>
            <translation>%1 分钟</translation>
        </message>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
    </context>
    <context>
        <name>Chart</name>
        <message>
            <source>%1 %</source>
            <translation>%1 %</translation>
        </message>
        <message>
            <source>step %1</source>
            <translation>第 %1 步</translation>
        </message>
        <message>
            <source>%1 tokens</source>
            <translation>%1 个 token</translation>
        </message>
        <message>
            <source>step %1 · %2 tokens · %3 · %4</source>
            <translation>第 %1 步 · %2 个 token · %3 · %4</translation>
        </message>
        <message numerus="yes">
            <source>%n more</source>
            <translation>
                <numerusform>另有 %n 个</numerusform>
            </translation>
        </message>
        <message>
            <source>raw %1</source>
            <translation>原始 %1</translation>
        </message>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source> GiB</source>
            <translation> GiB</translation>
        </message>
        <message>
            <source> MiB</source>
            <translation> MiB</translation>
        </message>
        <message>
            <source>%1  %2</source>
            <translation>%1  %2</translation>
        </message>
        <message>
            <source>No data yet</source>
            <translation>暂无数据</translation>
        </message>
        <message>
            <source>drawn coarser: many points</source>
            <translation>点数较多，已粗略绘制</translation>
        </message>
        <message numerus="yes">
            <source>%Ln point(s) here</source>
            <translation>
                <numerusform>此处 %Ln 个点</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln not a number</source>
            <translation>
                <numerusform>%Ln 个非数值</numerusform>
            </translation>
        </message>
        <message>
            <source>hidden: %1 above, %2 below</source>
            <translation>已隐藏：上方 %1，下方 %2</translation>
        </message>
        <message>
            <source>hidden: %1 above</source>
            <translation>已隐藏：上方 %1</translation>
        </message>
        <message>
            <source>hidden: %1 below</source>
            <translation>已隐藏：下方 %1</translation>
        </message>
    </context>
    <context>
        <name>ChartExport</name>
        <message>
            <source>%1 could not be written: %2</source>
            <translation>无法写入 %1：%2</translation>
        </message>
        <message>
            <source>the picture is too large</source>
            <translation>图片过大</translation>
        </message>
    </context>
    <context>
        <name>ChartSummary</name>
        <message>
            <source>too short to judge</source>
            <translation>太短，无法判断</translation>
        </message>
        <message>
            <source>with values that are not numbers</source>
            <translation>含非数值</translation>
        </message>
        <message>
            <source>falling</source>
            <translation>下降</translation>
        </message>
        <message>
            <source>rising</source>
            <translation>上升</translation>
        </message>
        <message>
            <source>steady</source>
            <translation>平稳</translation>
        </message>
        <message>
            <source>%1 %2, %3, %4</source>
            <translation>%1 %2，%3，%4</translation>
        </message>
        <message>
            <source>No data yet</source>
            <translation>暂无数据</translation>
        </message>
        <message numerus="yes">
            <source>%Ln point(s)</source>
            <translation>
                <numerusform>%Ln 个点</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>LayoutCard</name>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>idle</source>
            <translation>空闲</translation>
        </message>
        <message>
            <source>Rank %1</source>
            <translation>进程 %1</translation>
        </message>
        <message>
            <source>no device</source>
            <translation>没有设备</translation>
        </message>
        <message>
            <source>layers %1</source>
            <translation>第 %1 层</translation>
        </message>
    </context>
    <context>
        <name>LayoutFigures</name>
        <message>
            <source>%1 ms</source>
            <translation>%1 毫秒</translation>
        </message>
        <message>
            <source>%1 %2 → %3</source>
            <translation>%1 %2 → %3</translation>
        </message>
        <message>
            <source>computing</source>
            <translation>计算</translation>
        </message>
        <message>
            <source>communication that nothing hides</source>
            <translation>未被掩盖的通信</translation>
        </message>
        <message>
            <source>bubble</source>
            <translation>气泡</translation>
        </message>
        <message>
            <source>optimizer</source>
            <translation>优化器</translation>
        </message>
        <message>
            <source>data parallel</source>
            <translation>数据并行</translation>
        </message>
        <message>
            <source>tensor parallel</source>
            <translation>张量并行</translation>
        </message>
        <message>
            <source>pipeline</source>
            <translation>流水线</translation>
        </message>
        <message>
            <source>context parallel</source>
            <translation>上下文并行</translation>
        </message>
        <message>
            <source>experts</source>
            <translation>专家</translation>
        </message>
        <message>
            <source>%1 a step</source>
            <translation>每步 %1</translation>
        </message>
        <message>
            <source>fullest device %1 of %2</source>
            <translation>占用最多的设备 %1（共 %2）</translation>
        </message>
        <message>
            <source>fullest device %1</source>
            <translation>占用最多的设备 %1</translation>
        </message>
    </context>
    <context>
        <name>LayoutWords</name>
        <message>
            <source>copy %1</source>
            <translation>副本 %1</translation>
        </message>
        <message>
            <source>stage %1</source>
            <translation>阶段 %1</translation>
        </message>
        <message>
            <source>slice %1</source>
            <translation>切片 %1</translation>
        </message>
        <message>
            <source>row part %1</source>
            <translation>行段 %1</translation>
        </message>
        <message>
            <source>whole model</source>
            <translation>完整模型</translation>
        </message>
        <message>
            <source>Rank %1 has no device.</source>
            <translation>进程 %1 没有设备。</translation>
        </message>
        <message>
            <source>Node %1, device %2 stays idle.</source>
            <translation>节点 %1 的设备 %2 闲置。</translation>
        </message>
        <message>
            <source>Rank %1 on node %2, device %3.</source>
            <translation>进程 %1 位于节点 %2 的设备 %3。</translation>
        </message>
        <message>
            <source>Rank %1 on device %2.</source>
            <translation>进程 %1 位于设备 %2。</translation>
        </message>
        <message>
            <source>Copy %1 of %2 of the model.</source>
            <translation>模型副本 %1，共 %2 个。</translation>
        </message>
        <message>
            <source>Stage %1 of %2 of the pipeline.</source>
            <translation>流水线阶段 %1，共 %2 个。</translation>
        </message>
        <message>
            <source>Slice %1 of %2 of each layer.</source>
            <translation>每层的切片 %1，共 %2 个。</translation>
        </message>
        <message>
            <source>Part %1 of %2 of each row of tokens.</source>
            <translation>每行 token 的第 %1 段，共 %2 段。</translation>
        </message>
        <message numerus="yes">
            <source>Holds all %n layer(s).</source>
            <translation>
                <numerusform>存放全部 %n 层。</numerusform>
            </translation>
        </message>
        <message>
            <source>Holds layers %1.</source>
            <translation>存放第 %1 层。</translation>
        </message>
        <message>
            <source>Needs %1 of %2.</source>
            <translation>需要 %1，共有 %2。</translation>
        </message>
        <message>
            <source>Needs %1.</source>
            <translation>需要 %1。</translation>
        </message>
    </context>
    <context>
        <name>Numbers</name>
        <message>
            <source>%1 k</source>
            <translation>%1 k</translation>
        </message>
        <message>
            <source>%1 M</source>
            <translation>%1 M</translation>
        </message>
        <message>
            <source>%1 B</source>
            <translation>%1 B</translation>
        </message>
        <message>
            <source>%1 T</source>
            <translation>%1 T</translation>
        </message>
        <message>
            <source>%1 MiB</source>
            <translation>%1 MiB</translation>
        </message>
        <message>
            <source>%1 GiB</source>
            <translation>%1 GiB</translation>
        </message>
        <message>
            <source>%1 tok/s</source>
            <translation>%1 tok/s</translation>
        </message>
        <message>
            <source>%1 k tok/s</source>
            <translation>%1 k tok/s</translation>
        </message>
        <message>
            <source>%1 M tok/s</source>
            <translation>%1 M tok/s</translation>
        </message>
        <message>
            <source>%1 %</source>
            <translation>%1 %</translation>
        </message>
        <message>
            <source>%1 °C</source>
            <translation>%1 °C</translation>
        </message>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
        <message>
            <source>%1 min</source>
            <translation>%1 分钟</translation>
        </message>
        <message>
            <source>%1 h %2 min</source>
            <translation>%1 小时 %2 分钟</translation>
        </message>
        <message>
            <source>%1 d %2 h</source>
            <translation>%1 天 %2 小时</translation>
        </message>
        <message>
            <source>%1 min %2 s</source>
            <translation>%1 分 %2 秒</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1 %2 %3</source>
            <translation>%1 %2 %3</translation>
        </message>
    </context>
    <context>
        <name>SettingText</name>
        <message>
            <source>Must be at least %1.</source>
            <translation>不得小于 %1。</translation>
        </message>
        <message>
            <source>Must be at most %1.</source>
            <translation>不得大于 %1。</translation>
        </message>
        <message>
            <source>A number is needed here.</source>
            <translation>此处需要填写数字。</translation>
        </message>
        <message>
            <source>“%1” is not a whole number.</source>
            <translation>“%1”不是整数。</translation>
        </message>
        <message>
            <source>“%1” is not a number.</source>
            <translation>“%1”不是数字。</translation>
        </message>
        <message>
            <source>A number above 0 is needed here.</source>
            <translation>此处需要填写大于 0 的数字。</translation>
        </message>
        <message>
            <source>Steps are whole numbers.</source>
            <translation>步数必须是整数。</translation>
        </message>
        <message>
            <source>A number and a unit are needed here.</source>
            <translation>此处需要填写数字和单位。</translation>
        </message>
        <message>
            <source>on</source>
            <translation>开</translation>
        </message>
        <message>
            <source>off</source>
            <translation>关</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>empty</source>
            <translation>空</translation>
        </message>
        <message>
            <source>steps</source>
            <translation>步</translation>
        </message>
        <message>
            <source>seconds</source>
            <translation>秒</translation>
        </message>
        <message>
            <source>minutes</source>
            <translation>分钟</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>小时</translation>
        </message>
        <message>
            <source>epochs</source>
            <translation>轮</translation>
        </message>
        <message>
            <source>never</source>
            <translation>从不</translation>
        </message>
    </context>
    <context>
        <name>StateBadge</name>
        <message>
            <source>Draft</source>
            <translation>草稿</translation>
        </message>
        <message>
            <source>Queued</source>
            <translation>排队中</translation>
        </message>
        <message>
            <source>Waiting for GPU</source>
            <translation>等待 GPU</translation>
        </message>
        <message>
            <source>Uploading</source>
            <translation>上传中</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>正在启动</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>Pausing</source>
            <translation>正在暂停</translation>
        </message>
        <message>
            <source>Paused</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>Stopping</source>
            <translation>正在停止</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>已完成</translation>
        </message>
        <message>
            <source>Stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>Interrupted</source>
            <translation>已中断</translation>
        </message>
        <message>
            <source>Imported</source>
            <translation>已导入</translation>
        </message>
        <message>
            <source>Live</source>
            <translation>实时</translation>
        </message>
        <message>
            <source>Stalled</source>
            <translation>停滞</translation>
        </message>
        <message>
            <source>Unreachable</source>
            <translation>无法连接</translation>
        </message>
        <message>
            <source>Lost</source>
            <translation>丢失</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::Banner</name>
        <message>
            <source>Details</source>
            <translation>详情</translation>
        </message>
        <message>
            <source>Close this message</source>
            <translation>关闭此消息</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::BridgeParser</name>
        <message>
            <source>the bridge sent a line of more than 16 MiB</source>
            <translation>桥接发来了超过 16 MiB 的一行</translation>
        </message>
        <message>
            <source>the run folder holds another record %1 than the one known here</source>
            <translation>运行文件夹中的记录 %1 与此处已知的不同</translation>
        </message>
        <message>
            <source>the run folder ends before record %1, which is known here</source>
            <translation>运行文件夹在此处已知的记录 %1 之前就结束了</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ChartBar</name>
        <message>
            <source>Along</source>
            <translation>横轴</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步数</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>Time trained</source>
            <translation>训练时长</translation>
        </message>
        <message>
            <source>Clock</source>
            <translation>时刻</translation>
        </message>
        <message>
            <source>Finished updates</source>
            <translation>已完成的更新次数</translation>
        </message>
        <message>
            <source>Tokens read so far</source>
            <translation>至今读取的 token 数</translation>
        </message>
        <message>
            <source>Time without pauses</source>
            <translation>不含暂停的时间</translation>
        </message>
        <message>
            <source>Time of day</source>
            <translation>钟表时间</translation>
        </message>
        <message>
            <source>Smoothing</source>
            <translation>平滑</translation>
        </message>
        <message>
            <source>Debiased moving average, the same as in TensorBoard; 0 shows the raw values</source>
            <translation>去偏移动平均，与 TensorBoard 完全一致；0 显示原始值</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ChartGrid</name>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ChartPanel</name>
        <message>
            <source>Logarithmic axis (L)</source>
            <translation>对数坐标轴（L）</translation>
        </message>
        <message>
            <source>Show everything again (0)</source>
            <translation>重新显示全部（0）</translation>
        </message>
        <message>
            <source>Show all charts (M)</source>
            <translation>显示所有图表（M）</translation>
        </message>
        <message>
            <source>Show this chart alone (M)</source>
            <translation>单独显示此图表（M）</translation>
        </message>
        <message>
            <source>More for this chart</source>
            <translation>此图表的更多选项</translation>
        </message>
        <message>
            <source>Vertical range</source>
            <translation>纵轴范围</translation>
        </message>
        <message>
            <source>All values</source>
            <translation>全部数值</translation>
        </message>
        <message>
            <source>5th to 95th percentile</source>
            <translation>第 5 至 95 百分位</translation>
        </message>
        <message>
            <source>1st to 99th percentile</source>
            <translation>第 1 至 99 百分位</translation>
        </message>
        <message>
            <source>Order at the cursor</source>
            <translation>光标处的排序</translation>
        </message>
        <message>
            <source>As listed</source>
            <translation>按列表顺序</translation>
        </message>
        <message>
            <source>Smallest first</source>
            <translation>从小到大</translation>
        </message>
        <message>
            <source>Largest first</source>
            <translation>从大到小</translation>
        </message>
        <message>
            <source>Nearest to the mouse first</source>
            <translation>离鼠标最近优先</translation>
        </message>
        <message>
            <source>Raw values behind the smoothed line</source>
            <translation>在平滑曲线后显示原始值</translation>
        </message>
        <message>
            <source>Save as picture…</source>
            <translation>另存为图片…</translation>
        </message>
        <message>
            <source>Save all points as CSV…</source>
            <translation>将所有点另存为 CSV…</translation>
        </message>
        <message>
            <source>Show as table</source>
            <translation>以表格显示</translation>
        </message>
        <message>
            <source>Save %1</source>
            <translation>保存 %1</translation>
        </message>
        <message>
            <source>PNG picture (*.png)</source>
            <translation>PNG 图片 (*.png)</translation>
        </message>
        <message>
            <source>Table (*.csv)</source>
            <translation>表格 (*.csv)</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ChartTableModel</name>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>Active time</source>
            <translation>训练时间</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Value</source>
            <translation>数值</translation>
        </message>
        <message>
            <source>Smoothed</source>
            <translation>平滑值</translation>
        </message>
        <message>
            <source>Series</source>
            <translation>序列</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::CheckpointModel</name>
        <message>
            <source>good</source>
            <translation>完好</translation>
        </message>
        <message>
            <source>void after going back</source>
            <translation>回退后作废</translation>
        </message>
        <message>
            <source>damaged</source>
            <translation>已损坏</translation>
        </message>
        <message>
            <source>put aside</source>
            <translation>已隔离</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Validation</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>大小</translation>
        </message>
        <message>
            <source>Saved</source>
            <translation>保存时间</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::Chip</name>
        <message>
            <source>Baseline</source>
            <translation>基准</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::CommandLine</name>
        <message>
            <source>Sets up, starts, watches and compares trainings of diffusion language models.</source>
            <translation>设置、启动、观察并比较扩散语言模型的训练。</translation>
        </message>
        <message>
            <source>Read the history anew from all run folders.</source>
            <translation>从所有运行文件夹重新读取历史。</translation>
        </message>
        <message>
            <source>Language of the window: en or zh_CN.</source>
            <translation>窗口语言：en 或 zh_CN。</translation>
        </message>
        <message>
            <source>Colours of the window: light, dark or system.</source>
            <translation>窗口配色：light、dark 或 system。</translation>
        </message>
        <message>
            <source>Write a picture of every page to this folder and end.</source>
            <translation>将每个页面的截图写入此文件夹后退出。</translation>
        </message>
        <message>
            <source>Write the longest waits of the window to this file, one a second.</source>
            <translation>将窗口每秒最长的等待写入此文件。</translation>
        </message>
        <message>
            <source>Data files, run files or run folders to open.</source>
            <translation>要打开的数据文件、运行文件或运行文件夹。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::CommandPreview</name>
        <message>
            <source>The same run from a terminal</source>
            <translation>在终端中启动同一运行</translation>
        </message>
        <message>
            <source>This command starts the run that the form describes. What equals the defaults is left out.</source>
            <translation>此命令启动表单所描述的运行，与默认值相同的设置已省略。</translation>
        </message>
        <message>
            <source>Command</source>
            <translation>命令</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ComparePage</name>
        <message>
            <source>Choose two or more runs in the list, and their curves and settings stand side by side here.</source>
            <translation>在列表中选择两个或更多运行，它们的曲线与设置会在此并排显示。</translation>
        </message>
        <message>
            <source>Choose runs</source>
            <translation>选择运行</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>比较</translation>
        </message>
        <message>
            <source>Add a run</source>
            <translation>添加运行</translation>
        </message>
        <message>
            <source>Export table</source>
            <translation>导出表格</translation>
        </message>
        <message>
            <source>Writes results and settings to a CSV file (Ctrl+E)</source>
            <translation>将结果与设置写入 CSV 文件（Ctrl+E）</translation>
        </message>
        <message>
            <source>New run from the baseline</source>
            <translation>以基准新建运行</translation>
        </message>
        <message>
            <source>Only settings that differ</source>
            <translation>仅显示不同的设置</translation>
        </message>
        <message>
            <source>Key: D</source>
            <translation>快捷键：D</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Reading the curves</source>
            <translation>正在读取曲线</translation>
        </message>
        <message>
            <source>A compared run is no longer in the history.</source>
            <translation>参与比较的一个运行已不在历史中。</translation>
        </message>
        <message>
            <source>The baseline: the others are measured against it</source>
            <translation>基准：其他运行与它对比</translation>
        </message>
        <message>
            <source>Click to make it the baseline</source>
            <translation>单击设为基准</translation>
        </message>
        <message>
            <source>These runs have the same settings.</source>
            <translation>这些运行的设置相同。</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>No other runs</source>
            <translation>没有其他运行</translation>
        </message>
        <message>
            <source>Export the comparison</source>
            <translation>导出比较结果</translation>
        </message>
        <message>
            <source>Tables (*.csv)</source>
            <translation>表格 (*.csv)</translation>
        </message>
        <message>
            <source>Saved as %1.</source>
            <translation>已保存为 %1。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::CompareResultModel</name>
        <message>
            <source>Best validation loss</source>
            <translation>最佳验证损失</translation>
        </message>
        <message>
            <source>Last validation loss</source>
            <translation>最近验证损失</translation>
        </message>
        <message>
            <source>Last loss</source>
            <translation>最近损失</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步数</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>Time trained</source>
            <translation>训练时长</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数量</translation>
        </message>
        <message>
            <source>same</source>
            <translation>相同</translation>
        </message>
        <message>
            <source>%1 better</source>
            <translation>%1 更好</translation>
        </message>
        <message>
            <source>%1 worse</source>
            <translation>%1 更差</translation>
        </message>
        <message>
            <source>%1  (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>★ %1</source>
            <translation>★ %1</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::DisplayGuard</name>
        <message>
            <source>The window cannot be opened. Qt says: &quot;%1&quot;. &apos;./run engine train&apos; trains in this terminal.</source>
            <translation>无法打开窗口。Qt 的说明：“%1”。“./run engine train”可在此终端中训练。</translation>
        </message>
        <message>
            <source>The window cannot be opened: no display is named in DISPLAY. &apos;./run engine train&apos; trains in this terminal.</source>
            <translation>无法打开窗口：DISPLAY 未指定任何显示。“./run engine train”可在此终端中训练。</translation>
        </message>
        <message>
            <source>The window cannot be opened: no display answers at %1. &apos;./run engine train&apos; trains in this terminal.</source>
            <translation>无法打开窗口：%1 处没有显示响应。“./run engine train”可在此终端中训练。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::EndWords</name>
        <message>
            <source>All %1 steps are done.</source>
            <translation>全部 %1 步已完成。</translation>
        </message>
        <message>
            <source>Stopped on request at step %1; a checkpoint was saved.</source>
            <translation>已按要求在第 %1 步停止，并保存了检查点。</translation>
        </message>
        <message>
            <source>Stopped on request at step %1, without a checkpoint.</source>
            <translation>已按要求在第 %1 步停止，未保存检查点。</translation>
        </message>
        <message>
            <source>Stopped by Ctrl-C at step %1; a checkpoint was saved.</source>
            <translation>被 Ctrl-C 停在第 %1 步，并保存了检查点。</translation>
        </message>
        <message>
            <source>Stopped by Ctrl-C at step %1, without a checkpoint.</source>
            <translation>被 Ctrl-C 停在第 %1 步，未保存检查点。</translation>
        </message>
        <message>
            <source>Stopped by Ctrl-C before it had begun.</source>
            <translation>尚未开始就被 Ctrl-C 停止。</translation>
        </message>
        <message>
            <source>The system asked the run to end (SIGTERM) at step %1; a checkpoint was saved.</source>
            <translation>系统要求结束（SIGTERM），停在第 %1 步，并保存了检查点。</translation>
        </message>
        <message>
            <source>The system asked the run to end (SIGTERM) at step %1, without a checkpoint.</source>
            <translation>系统要求结束（SIGTERM），停在第 %1 步，未保存检查点。</translation>
        </message>
        <message>
            <source>The system asked the run to end (SIGTERM) before it had begun.</source>
            <translation>系统要求结束（SIGTERM），此时尚未开始。</translation>
        </message>
        <message>
            <source>The training process was killed (SIGKILL): by somebody, or because the system ran out of memory.</source>
            <translation>训练进程被强行结束（SIGKILL）：有人终止了它，或系统内存耗尽。</translation>
        </message>
        <message>
            <source>The training process crashed (%1), by a fault of the program or the machine.</source>
            <translation>训练进程崩溃（%1），程序或机器出了故障。</translation>
        </message>
        <message>
            <source>The training process was ended from outside (%1).</source>
            <translation>训练进程被外部信号结束（%1）。</translation>
        </message>
        <message>
            <source>The training process ended with code %1 without saying why.</source>
            <translation>训练进程以代码 %1 结束，没有说明原因。</translation>
        </message>
        <message>
            <source>The GPU ran out of memory.</source>
            <translation>GPU 显存不足。</translation>
        </message>
        <message>
            <source>Memory ran out.</source>
            <translation>内存不足。</translation>
        </message>
        <message>
            <source>The disk is full.</source>
            <translation>磁盘已满。</translation>
        </message>
        <message>
            <source>The loss or its gradient is no longer a finite number.</source>
            <translation>损失或梯度不再是有限的数值。</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::EngineTask</name>
        <message>
            <source>the engine ended with code %1 and said nothing</source>
            <translation>引擎以代码 %1 结束，未给出说明</translation>
        </message>
        <message>
            <source>%1 cannot be started: %2</source>
            <translation>无法启动 %1：%2</translation>
        </message>
        <message>
            <source>The run file could not be written to %1.</source>
            <translation>无法将运行文件写入 %1。</translation>
        </message>
        <message>
            <source>the engine was ended by a signal</source>
            <translation>引擎被信号终止</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::EventListModel</name>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>What happened</source>
            <translation>内容</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::FileListEditor</name>
        <message>
            <source>Add files</source>
            <translation>添加文件</translation>
        </message>
        <message>
            <source>Add files…</source>
            <translation>添加文件…</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Drop text or JSON lines here. Without files the bundled sample corpus is used.</source>
            <translation>将文本或 JSON 行文件拖到此处。不选文件则使用自带的示例语料。</translation>
        </message>
        <message>
            <source>Remove the chosen files from the list</source>
            <translation>从列表中移除所选文件</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::IntervalEditor</name>
        <message>
            <source>Unit of %1</source>
            <translation>%1 的单位</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LayoutFiguresPane</name>
        <message>
            <source>%1 (projection)</source>
            <translation>%1（推算）</translation>
        </message>
        <message>
            <source>Time a step</source>
            <translation>每步时间</translation>
        </message>
        <message>
            <source>Waiting for stages</source>
            <translation>等待其他阶段</translation>
        </message>
        <message>
            <source>Sent by a device, a step</source>
            <translation>每个设备每步发送</translation>
        </message>
        <message>
            <source>Fullest device</source>
            <translation>占用最多的设备</translation>
        </message>
        <message>
            <source>of %1</source>
            <translation>共 %1</translation>
        </message>
        <message>
            <source>of %1 that are free</source>
            <translation>空闲内存共 %1</translation>
        </message>
        <message>
            <source>Memory of the fullest device (projection)</source>
            <translation>占用最多的设备的内存（推算）</translation>
        </message>
        <message>
            <source>Memory of the fullest device (estimate)</source>
            <translation>占用最多的设备的内存（估计）</translation>
        </message>
        <message numerus="yes">
            <source>%n micro-batch(es) a rank</source>
            <translation>
                <numerusform>每个进程 %n 个微批</numerusform>
            </translation>
        </message>
        <message>
            <source>the speed of these devices is unknown</source>
            <translation>这些设备的速度未知</translation>
        </message>
        <message>
            <source>Where the time of a step goes (projection)</source>
            <translation>每步时间的去向（推算）</translation>
        </message>
        <message>
            <source>Where the time of a step goes (estimate)</source>
            <translation>每步时间的去向（估计）</translation>
        </message>
        <message>
            <source>What a device sends for a step (projection)</source>
            <translation>每个设备每步发送的内容（推算）</translation>
        </message>
        <message>
            <source>What a device sends for a step (estimate)</source>
            <translation>每个设备每步发送的内容（估计）</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LayoutPicture</name>
        <message>
            <source>Not there</source>
            <translation>不存在的设备</translation>
        </message>
        <message>
            <source>Node %1</source>
            <translation>节点 %1</translation>
        </message>
        <message>
            <source>… and %1 more devices</source>
            <translation>…… 另有 %1 个设备</translation>
        </message>
        <message>
            <source>Picture of the layout: %1 ranks on %2 devices</source>
            <translation>布局图：%2 个设备上的 %1 个进程</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LayoutProposalList</name>
        <message>
            <source>Nothing can be proposed for this model on these machines.</source>
            <translation>对此模型和这些机器没有可推荐的布局。</translation>
        </message>
        <message>
            <source>Proposed layouts, the best first</source>
            <translation>推荐的布局，最佳在前</translation>
        </message>
        <message>
            <source>Use this layout</source>
            <translation>采用此布局</translation>
        </message>
        <message>
            <source>Use proposed layout %1</source>
            <translation>采用推荐布局 %1</translation>
        </message>
        <message>
            <source>Projection: %1</source>
            <translation>推算：%1</translation>
        </message>
        <message>
            <source>Not carried out by this version yet: %1</source>
            <translation>此版本尚不能执行：%1</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LayoutSection</name>
        <message>
            <source>Looking for the best layouts…</source>
            <translation>正在寻找最佳布局……</translation>
        </message>
        <message>
            <source>use the proposed layout</source>
            <translation>采用推荐的布局</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>This computer</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>This computer, or devices in words such as &quot;8 x A100 80 GB on 2 nodes&quot;.</source>
            <translation>本机，或用文字描述的设备，例如 &quot;8 x A100 80 GB on 2 nodes&quot; 或 &quot;2 个节点，每个 8 块 H100&quot;。</translation>
        </message>
        <message>
            <source>Devices to plan for</source>
            <translation>为其规划的设备</translation>
        </message>
        <message>
            <source>Propose</source>
            <translation>推荐</translation>
        </message>
        <message>
            <source>Looks for the fastest layouts that fit these devices, and says why</source>
            <translation>寻找这些设备放得下的最快布局，并说明理由</translation>
        </message>
        <message>
            <source>Colour: copy of the model. Stripe: pipeline stage. Number: slice of each layer. Arrow keys go from device to device.</source>
            <translation>颜色：模型副本。竖条：流水线阶段。数字：每层的切片。方向键可在设备间移动。</translation>
        </message>
        <message>
            <source>Projection</source>
            <translation>推算</translation>
        </message>
        <message>
            <source>Devices that are only described are planned for, not used: Start trains on this computer, with %1 process(es) on %2.</source>
            <translation>仅用文字描述的设备只用于规划，不会被使用：“开始”会在本机训练，以 %1 个进程使用 %2。</translation>
        </message>
        <message>
            <source>The layout is planned as soon as the other fields are right.</source>
            <translation>其他字段正确后即会规划布局。</translation>
        </message>
        <message>
            <source>No layout of this model on these devices is near; change the model, the batch or the devices.</source>
            <translation>此模型在这些设备上没有相近的布局；请更改模型、批大小或设备。</translation>
        </message>
        <message>
            <source>Use the nearest legal layout</source>
            <translation>采用最接近的合法布局</translation>
        </message>
        <message>
            <source>This version cannot carry this layout out yet:</source>
            <translation>此版本尚不能执行该布局：</translation>
        </message>
        <message>
            <source>Use the nearest layout that this version runs</source>
            <translation>采用此版本能运行的最接近的布局</translation>
        </message>
        <message>
            <source>%1 on %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1: a projection</source>
            <translation>%1：推算</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LayoutSizes</name>
        <message>
            <source>whole share</source>
            <translation>全部份额</translation>
        </message>
        <message>
            <source>%1 This model allows %2.</source>
            <translation>%1此模型允许 %2。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LiveHeader</name>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Validation loss</source>
            <translation>验证损失</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>Time left</source>
            <translation>剩余时间</translation>
        </message>
        <message>
            <source>Last checkpoint</source>
            <translation>最近检查点</translation>
        </message>
        <message>
            <source>Progress of the run</source>
            <translation>运行进度</translation>
        </message>
        <message>
            <source>%1 / %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>step %1</source>
            <translation>第 %1 步</translation>
        </message>
        <message>
            <source>Time trained</source>
            <translation>训练时长</translation>
        </message>
        <message>
            <source>Estimating…</source>
            <translation>估算中…</translation>
        </message>
        <message>
            <source>done at %1</source>
            <translation>预计 %1 完成</translation>
        </message>
        <message>
            <source>none yet</source>
            <translation>尚无</translation>
        </message>
        <message>
            <source>%1 ago</source>
            <translation>%1前</translation>
        </message>
        <message>
            <source>as of %1</source>
            <translation>截至 %1</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LivePage</name>
        <message>
            <source>Here you watch a run: its loss as it falls, its speed, and what it has to say.</source>
            <translation>在这里观察运行：下降的损失、速度，以及它所报告的一切。</translation>
        </message>
        <message>
            <source>Start a new run</source>
            <translation>新建运行</translation>
        </message>
        <message>
            <source>Choose one from the list</source>
            <translation>从列表中选择</translation>
        </message>
        <message>
            <source>Another run</source>
            <translation>切换运行</translation>
        </message>
        <message>
            <source>Reading the curves</source>
            <translation>正在读取曲线</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>No runs yet</source>
            <translation>暂无运行</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>恢复</translation>
        </message>
        <message>
            <source>Show the log</source>
            <translation>查看日志</translation>
        </message>
        <message>
            <source>The run has not answered "%1" for 30 seconds. It may be in the middle of a long step.</source>
            <translation>运行已 30 秒未回应“%1”，可能正处于较长的一步中。</translation>
        </message>
        <message>
            <source>Ask again</source>
            <translation>再次请求</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LiveTabs</name>
        <message>
            <source>Events</source>
            <translation>事件</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>样本</translation>
        </message>
        <message>
            <source>Checkpoints</source>
            <translation>检查点</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Only what differs from the defaults</source>
            <translation>仅显示与默认值不同的设置</translation>
        </message>
        <message>
            <source>Events of the run</source>
            <translation>运行事件</translation>
        </message>
        <message>
            <source>Settings of the run</source>
            <translation>运行设置</translation>
        </message>
        <message>
            <source>Checkpoints of the run</source>
            <translation>运行的检查点</translation>
        </message>
        <message>
            <source>Default</source>
            <translation>默认值</translation>
        </message>
        <message>
            <source>This run</source>
            <translation>本次运行</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LogIndexer</name>
        <message>
            <source>%1 is not there yet or cannot be read.</source>
            <translation>%1 尚不存在或无法读取。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LogTab</name>
        <message>
            <source>Not found.</source>
            <translation>未找到。</translation>
        </message>
        <message>
            <source>Search the log</source>
            <translation>搜索日志</translation>
        </message>
        <message>
            <source>Lines of the log</source>
            <translation>日志行</translation>
        </message>
        <message>
            <source>Previous match</source>
            <translation>上一处匹配</translation>
        </message>
        <message>
            <source>Next match</source>
            <translation>下一处匹配</translation>
        </message>
        <message>
            <source>Follow</source>
            <translation>跟随</translation>
        </message>
        <message>
            <source>Keeps the newest line in view</source>
            <translation>始终显示最新一行</translation>
        </message>
        <message numerus="yes">
            <source>%n line(s)</source>
            <translation>
                <numerusform>%n 行</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::LogView</name>
        <message>
            <source>Search in the log</source>
            <translation>在日志中搜索</translation>
        </message>
        <message>
            <source>Everything</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>Information</source>
            <translation>信息</translation>
        </message>
        <message>
            <source>Warnings</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>Errors</source>
            <translation>错误</translation>
        </message>
        <message>
            <source>Least level shown</source>
            <translation>显示的最低级别</translation>
        </message>
        <message>
            <source>Follow</source>
            <translation>跟随</translation>
        </message>
        <message>
            <source>Stay at the newest line. Scrolling up stops this.</source>
            <translation>停留在最新一行；向上滚动即停止。</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message numerus="yes">
            <source>%Ln line(s)</source>
            <translation>
                <numerusform>%Ln 行</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::MainWindow</name>
        <message>
            <source>Runs</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>New run</source>
            <translation>新建运行</translation>
        </message>
        <message>
            <source>Live</source>
            <translation>实时</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>比较</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Unmask</source>
            <translation>Unmask</translation>
        </message>
        <message>
            <source>Close the window</source>
            <translation>关闭窗口</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) continue without this window.</source>
            <translation>
                <numerusform>%n 个运行将在窗口关闭后继续。</numerusform>
            </translation>
        </message>
        <message>
            <source>Open the studio again at any time; the curves will be complete.</source>
            <translation>可随时重新打开工作室，曲线会保持完整。</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Stop and save…</source>
            <translation>停止并保存…</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::MemoryBar</name>
        <message>
            <source>weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <source>w</source>
            <comment>letter of weights in the memory bar</comment>
            <translation>w</translation>
        </message>
        <message>
            <source>gradients</source>
            <translation>梯度</translation>
        </message>
        <message>
            <source>g</source>
            <comment>letter of gradients in the memory bar</comment>
            <translation>g</translation>
        </message>
        <message>
            <source>optimizer</source>
            <translation>优化器</translation>
        </message>
        <message>
            <source>o</source>
            <comment>letter of optimizer in the memory bar</comment>
            <translation>o</translation>
        </message>
        <message>
            <source>activations</source>
            <translation>激活</translation>
        </message>
        <message>
            <source>a</source>
            <comment>letter of activations in the memory bar</comment>
            <translation>a</translation>
        </message>
        <message>
            <source>buffers</source>
            <translation>缓冲</translation>
        </message>
        <message>
            <source>b</source>
            <comment>letter of buffers in the memory bar</comment>
            <translation>b</translation>
        </message>
        <message>
            <source>other programs</source>
            <translation>其他程序</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>%1 needed: %2</source>
            <translation>需要 %1：%2</translation>
        </message>
        <message>
            <source>%1 of %2 needed: %3</source>
            <translation>需要 %1（共 %2）：%3</translation>
        </message>
        <message>
            <source>Does not fit. %1</source>
            <translation>放不下。%1</translation>
        </message>
        <message>
            <source>free %1</source>
            <translation>空闲 %1</translation>
        </message>
        <message>
            <source>%1 too much</source>
            <translation>超出 %1</translation>
        </message>
        <message>
            <source>communication</source>
            <translation>通信</translation>
        </message>
        <message>
            <source>c</source>
            <comment>letter of communication in the memory bar</comment>
            <translation>c</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::NewRunPage</name>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Objective</source>
            <translation>训练目标</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>Saving</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Name and more</source>
            <translation>名称及其他</translation>
        </message>
        <message>
            <source>New run</source>
            <translation>新建运行</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <source>Redo</source>
            <translation>重做</translation>
        </message>
        <message>
            <source>Takes the last change of the form back (Ctrl+Z)</source>
            <translation>撤销表单的最近一次更改（Ctrl+Z）</translation>
        </message>
        <message>
            <source>Makes the change again (Ctrl+Shift+Z)</source>
            <translation>重新应用更改（Ctrl+Shift+Z）</translation>
        </message>
        <message>
            <source>Command</source>
            <translation>命令</translation>
        </message>
        <message>
            <source>The command that starts this run from a terminal (Ctrl+Shift+C)</source>
            <translation>在终端中启动此运行的命令（Ctrl+Shift+C）</translation>
        </message>
        <message>
            <source>Run file</source>
            <translation>运行文件</translation>
        </message>
        <message>
            <source>Keeps these settings in a file, or takes them from one</source>
            <translation>将这些设置存入文件，或从文件中读取</translation>
        </message>
        <message>
            <source>Open… (Ctrl+O)</source>
            <translation>打开…（Ctrl+O）</translation>
        </message>
        <message>
            <source>Save as… (Ctrl+S)</source>
            <translation>另存为…（Ctrl+S）</translation>
        </message>
        <message>
            <source>%1. Undo brings your form back.</source>
            <translation>%1。撤销可恢复原来的表单。</translation>
        </message>
        <message>
            <source>Apply preset %1</source>
            <translation>应用预设 %1</translation>
        </message>
        <message>
            <source>The form has just changed and is being checked. Press Start again.</source>
            <translation>表单刚刚更改，正在检查。请再次按“开始”。</translation>
        </message>
        <message>
            <source>Preparing the data and the model</source>
            <translation>正在准备数据和模型</translation>
        </message>
        <message>
            <source>The run did not start and gave no reason.</source>
            <translation>运行未能启动，且未给出原因。</translation>
        </message>
        <message>
            <source>The run did not start: %1</source>
            <translation>运行未能启动：%1</translation>
        </message>
        <message>
            <source>Save the run file</source>
            <translation>保存运行文件</translation>
        </message>
        <message>
            <source>Run files (*.json)</source>
            <translation>运行文件 (*.json)</translation>
        </message>
        <message>
            <source>Saved as %1.</source>
            <translation>已保存为 %1。</translation>
        </message>
        <message>
            <source>Open a run file</source>
            <translation>打开运行文件</translation>
        </message>
        <message>
            <source>Settings of %1</source>
            <translation>%1 的设置</translation>
        </message>
        <message>
            <source>These are the settings of the run %1 (%2). Start makes a new run; that one stays as it is.</source>
            <translation>这是运行 %1（%2）的设置。“开始”会新建一个运行，原来的保持不变。</translation>
        </message>
        <message>
            <source>Resume that run</source>
            <translation>恢复该运行</translation>
        </message>
        <message>
            <source>Show that run</source>
            <translation>查看该运行</translation>
        </message>
        <message>
            <source>Layout</source>
            <translation>布局</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::NumberText</name>
        <message>
            <source>%1 k tok/s</source>
            <translation>%1 k tok/s</translation>
        </message>
        <message>
            <source>%1 tok/s</source>
            <translation>%1 tok/s</translation>
        </message>
        <message>
            <source>%1 %</source>
            <translation>%1 %</translation>
        </message>
        <message>
            <source>%1 s</source>
            <translation>%1 秒</translation>
        </message>
        <message>
            <source>%1 min</source>
            <translation>%1 分钟</translation>
        </message>
        <message>
            <source>%1 h %2 min</source>
            <translation>%1 小时 %2 分钟</translation>
        </message>
        <message>
            <source>%1 d %2 h</source>
            <translation>%1 天 %2 小时</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::PlanPane</name>
        <message>
            <source>This run</source>
            <translation>本次运行</translation>
        </message>
        <message>
            <source>parameters</source>
            <translation>参数</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>Starting…</source>
            <translation>正在启动…</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>开始</translation>
        </message>
        <message>
            <source>Starts the training here (Ctrl+Enter); it goes on when this window is closed</source>
            <translation>在本机开始训练（Ctrl+Enter）；关闭窗口后训练继续</translation>
        </message>
        <message>
            <source>Looking at this computer…</source>
            <translation>正在查看本机…</translation>
        </message>
        <message>
            <source>%1 steps of %2 tokens each: %3 tokens in all</source>
            <translation>%1 步，每步 %2 个 token，共 %3 个 token</translation>
        </message>
        <message numerus="yes">
            <source>%n CPU core(s)</source>
            <translation>
                <numerusform>%n 个 CPU 核心</numerusform>
            </translation>
        </message>
        <message>
            <source>About %1 on %2</source>
            <translation>在 %2上约需 %1</translation>
        </message>
        <message>
            <source>Time on %1: unknown until it runs</source>
            <translation>在 %1 上的耗时：运行后才知道</translation>
        </message>
        <message>
            <source>Go to the field</source>
            <translation>转到该字段</translation>
        </message>
        <message>
            <source>Ready to start</source>
            <translation>可以开始</translation>
        </message>
        <message numerus="yes">
            <source>%n thing(s) to mend before Start</source>
            <translation>
                <numerusform>开始前需修正 %n 处</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n 条警告</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::PlanWatch</name>
        <message>
            <source>%1 does not exist.</source>
            <translation>%1 不存在。</translation>
        </message>
        <message>
            <source>%1 is a folder. Choose the text files in it.</source>
            <translation>%1 是文件夹，请选择其中的文本文件。</translation>
        </message>
        <message>
            <source>%1 is not an ordinary file.</source>
            <translation>%1 不是普通文件。</translation>
        </message>
        <message>
            <source>%1 may not be read by you.</source>
            <translation>您无权读取 %1。</translation>
        </message>
        <message>
            <source>%1 is empty.</source>
            <translation>%1 是空文件。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::PresetRow</name>
        <message>
            <source>%1 layers × %2</source>
            <translation>%1 层 × %2</translation>
        </message>
        <message>
            <source>%1 parameters</source>
            <translation>%1 参数</translation>
        </message>
        <message>
            <source>Custom</source>
            <translation>自定义</translation>
        </message>
        <message>
            <source>Your own shape</source>
            <translation>自定结构</translation>
        </message>
        <message>
            <source>You decide</source>
            <translation>由您决定</translation>
        </message>
        <message>
            <source>Layers, width and heads as you like.</source>
            <translation>自由设定层数、宽度和头数。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ProcessTransport</name>
        <message>
            <source>%1 cannot be started: %2</source>
            <translation>无法启动 %1：%2</translation>
        </message>
        <message>
            <source>the bridge ended with code %1</source>
            <translation>桥接以代码 %1 结束</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::Questions</name>
        <message>
            <source>OK</source>
            <translation>确定</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Extend the run</source>
            <translation>延长运行</translation>
        </message>
        <message>
            <source>%1 is planned for %2 steps. How many more?</source>
            <translation>%1 计划 %2 步。再增加多少步？</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RailButton</name>
        <message>
            <source>%1, complete</source>
            <translation>%1，已完成</translation>
        </message>
        <message numerus="yes">
            <source>%1, %n warning(s)</source>
            <translation>
                <numerusform>%1，%n 条警告</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1, %n error(s)</source>
            <translation>
                <numerusform>%1，%n 处错误</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunActions</name>
        <message>
            <source>%1 could not be resumed: %2</source>
            <translation>无法恢复 %1：%2</translation>
        </message>
        <message>
            <source>The settings of %1 could not be read from its folder.</source>
            <translation>无法从文件夹读取 %1 的设置。</translation>
        </message>
        <message>
            <source>Settings of %1</source>
            <translation>%1 的设置</translation>
        </message>
        <message>
            <source>%1 again, with a new seed</source>
            <translation>再次运行 %1，使用新种子</translation>
        </message>
        <message>
            <source>Rename the run</source>
            <translation>重命名运行</translation>
        </message>
        <message>
            <source>Name in lists and charts:</source>
            <translation>列表与图表中的名称：</translation>
        </message>
        <message>
            <source>Tags of the run</source>
            <translation>运行标签</translation>
        </message>
        <message>
            <source>Tags, separated by spaces:</source>
            <translation>标签，以空格分隔：</translation>
        </message>
        <message numerus="yes">
            <source>Compare %n run(s)</source>
            <translation>
                <numerusform>比较 %n 个运行</numerusform>
            </translation>
        </message>
        <message>
            <source>Open live</source>
            <translation>打开实时页面</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>恢复</translation>
        </message>
        <message>
            <source>Extend…</source>
            <translation>延长…</translation>
        </message>
        <message>
            <source>New run from this</source>
            <translation>以此新建运行</translation>
        </message>
        <message>
            <source>Run again with a new seed</source>
            <translation>以新种子再次运行</translation>
        </message>
        <message>
            <source>Rename…</source>
            <translation>重命名…</translation>
        </message>
        <message>
            <source>Tags…</source>
            <translation>标签…</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>打开文件夹</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>从列表中移除</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunControls</name>
        <message>
            <source>Resuming…</source>
            <translation>正在恢复…</translation>
        </message>
        <message>
            <source>Checkpoint now</source>
            <translation>立即保存检查点</translation>
        </message>
        <message>
            <source>Saves the state of the training at the next step; the run goes on.</source>
            <translation>在下一步保存训练状态，运行继续。</translation>
        </message>
        <message>
            <source>Stop…</source>
            <translation>停止…</translation>
        </message>
        <message>
            <source>Ends the run, with or without saving (Ctrl+Shift+S)</source>
            <translation>结束运行，可选择是否保存（Ctrl+Shift+S）</translation>
        </message>
        <message>
            <source>Extend…</source>
            <translation>延长…</translation>
        </message>
        <message>
            <source>Plans more steps for this run</source>
            <translation>为此运行增加步数</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>恢复</translation>
        </message>
        <message>
            <source>Pause</source>
            <translation>暂停</translation>
        </message>
        <message>
            <source>Goes on from the last good checkpoint</source>
            <translation>从最近的完好检查点继续</translation>
        </message>
        <message>
            <source>Goes on with the training</source>
            <translation>继续训练</translation>
        </message>
        <message>
            <source>Holds the training after this step; memory stays taken</source>
            <translation>在此步之后暂停训练；内存仍被占用</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunFilter</name>
        <message>
            <source>There is no field “%1”.</source>
            <translation>没有名为“%1”的字段。</translation>
        </message>
        <message>
            <source>“%1” is not a number.</source>
            <translation>“%1”不是数字。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunLink</name>
        <message numerus="yes">
            <source>the bridge has said nothing for %n second(s)</source>
            <translation>
                <numerusform>桥接已 %n 秒没有消息</numerusform>
            </translation>
        </message>
        <message>
            <source>The engine speaks version %1 of the protocol, this studio only up to %2. Update the studio to follow this run.</source>
            <translation>引擎使用协议版本 %1，本工作室最高支持 %2。请更新工作室以跟踪此运行。</translation>
        </message>
        <message>
            <source>Reading the run from its beginning: %1.</source>
            <translation>正在从头读取运行：%1。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunPane</name>
        <message>
            <source>Open live</source>
            <translation>打开实时页面</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>恢复</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>再次运行</translation>
        </message>
        <message>
            <source>Opens the form with these settings and a new seed</source>
            <translation>以这些设置和新种子打开表单</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>备注</translation>
        </message>
        <message>
            <source>What was this run for?</source>
            <translation>这次运行的目的是什么？</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Best validation loss</source>
            <translation>最佳验证损失</translation>
        </message>
        <message>
            <source>Architecture</source>
            <translation>架构</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数量</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>Batch</source>
            <translation>批大小</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Computer</source>
            <translation>计算机</translation>
        </message>
        <message>
            <source>Trained</source>
            <translation>已训练</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>开始时间</translation>
        </message>
        <message>
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <source>Tags: %1</source>
            <translation>标签：%1</translation>
        </message>
        <message>
            <source>Sample corpus</source>
            <translation>示例语料</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunSession</name>
        <message>
            <source>This run is not in the history.</source>
            <translation>此运行不在历史中。</translation>
        </message>
        <message>
            <source>%1 holds no run that this studio can read.</source>
            <translation>%1 中没有本工作室可读取的运行。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunTableModel</name>
        <message>
            <source>loss %1</source>
            <translation>损失 %1</translation>
        </message>
        <message>
            <source>%1 (copy)</source>
            <translation>%1（副本）</translation>
        </message>
        <message>
            <source>%1 / %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>%1
Another folder with the same id is in the list too.</source>
            <translation>%1
列表中还有另一个相同标识的文件夹。</translation>
        </message>
        <message>
            <source>%1 tokens</source>
            <translation>%1 个 token</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Computer</source>
            <translation>计算机</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>参数量</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>步</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Best validation</source>
            <translation>最佳验证</translation>
        </message>
        <message>
            <source>Curve</source>
            <translation>曲线</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>开始时间</translation>
        </message>
        <message>
            <source>Trained for</source>
            <translation>训练时长</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>标签</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>备注</translation>
        </message>
        <message>
            <source>Sample corpus</source>
            <translation>示例语料</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunWords</name>
        <message>
            <source>CPU, 1 thread</source>
            <translation>CPU，1 个线程</translation>
        </message>
        <message>
            <source>CPU, %1 threads</source>
            <translation>CPU，%1 个线程</translation>
        </message>
        <message>
            <source>reading the data</source>
            <translation>读取数据</translation>
        </message>
        <message>
            <source>loading</source>
            <translation>加载</translation>
        </message>
        <message>
            <source>planning memory</source>
            <translation>规划内存</translation>
        </message>
        <message>
            <source>first step</source>
            <translation>第一步</translation>
        </message>
        <message>
            <source>training</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>validating</source>
            <translation>验证</translation>
        </message>
        <message>
            <source>writing a sample</source>
            <translation>生成样本</translation>
        </message>
        <message>
            <source>saving a checkpoint</source>
            <translation>保存检查点</translation>
        </message>
        <message>
            <source>stopping</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>paused</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>start</source>
            <translation>开始</translation>
        </message>
        <message>
            <source>resume</source>
            <translation>恢复</translation>
        </message>
        <message>
            <source>phase</source>
            <translation>阶段</translation>
        </message>
        <message>
            <source>sample</source>
            <translation>样本</translation>
        </message>
        <message>
            <source>checkpoint</source>
            <translation>检查点</translation>
        </message>
        <message>
            <source>suggestion</source>
            <translation>建议</translation>
        </message>
        <message>
            <source>anomaly</source>
            <translation>异常</translation>
        </message>
        <message>
            <source>log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>command</source>
            <translation>命令</translation>
        </message>
        <message>
            <source>pause</source>
            <translation>暂停</translation>
        </message>
        <message>
            <source>go on</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>end</source>
            <translation>结束</translation>
        </message>
        <message>
            <source>failure</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>Started on %1 (%2), %3 parameters</source>
            <translation>在 %1（%2）上开始，%3 参数</translation>
        </message>
        <message>
            <source>Begun again at step 0</source>
            <translation>从第 0 步重新开始</translation>
        </message>
        <message>
            <source>Resumed from step %L1</source>
            <translation>从第 %L1 步恢复</translation>
        </message>
        <message>
            <source>%1; changed: %2</source>
            <translation>%1；已更改：%2</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>Saved %1 (%2)</source>
            <translation>已保存 %1（%2）</translation>
        </message>
        <message>
            <source>Removed %1, an older one</source>
            <translation>已删除较旧的 %1</translation>
        </message>
        <message>
            <source>%1 is void since the run went back before it</source>
            <translation>运行已回退到 %1 之前，该检查点作废</translation>
        </message>
        <message>
            <source>%1 is not usable: %2</source>
            <translation>%1 不可用：%2</translation>
        </message>
        <message>
            <source>%1: done</source>
            <translation>%1：已完成</translation>
        </message>
        <message>
            <source>%1: refused</source>
            <translation>%1：被拒绝</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Paused</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>Going on after a pause of %1</source>
            <translation>暂停 %1后继续</translation>
        </message>
        <message>
            <source>An event of a later version (%1)</source>
            <translation>较新版本的事件（%1）</translation>
        </message>
        <message>
            <source>starting</source>
            <translation>正在启动</translation>
        </message>
        <message>
            <source>running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>stalled</source>
            <translation>停滞</translation>
        </message>
        <message>
            <source>interrupted</source>
            <translation>已中断</translation>
        </message>
        <message>
            <source>lost</source>
            <translation>丢失</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>finished</source>
            <translation>已完成</translation>
        </message>
        <message>
            <source>The engine has been started and is getting ready.</source>
            <translation>引擎已启动，正在准备。</translation>
        </message>
        <message>
            <source>The engine is training.</source>
            <translation>引擎正在训练。</translation>
        </message>
        <message>
            <source>The engine waits until you let it go on.</source>
            <translation>引擎正在等待您让它继续。</translation>
        </message>
        <message>
            <source>The engine's process is there, but it has shown no progress for a while.</source>
            <translation>引擎进程仍在，但已有一段时间没有进展。</translation>
        </message>
        <message>
            <source>The engine's process is gone and left no end record. You can resume from the last checkpoint.</source>
            <translation>引擎进程已消失且没有留下结束记录。可以从最近的检查点恢复。</translation>
        </message>
        <message>
            <source>The run folder is gone, cannot be read, or holds another run.</source>
            <translation>运行文件夹不存在、无法读取，或属于另一个运行。</translation>
        </message>
        <message>
            <source>The run ended with an error.</source>
            <translation>运行因错误而结束。</translation>
        </message>
        <message>
            <source>The run was stopped before its last step. You can resume it.</source>
            <translation>运行在最后一步之前被停止，可以恢复。</translation>
        </message>
        <message>
            <source>The run has done all its steps.</source>
            <translation>运行已完成全部步数。</translation>
        </message>
        <message>
            <source>not connected</source>
            <translation>未连接</translation>
        </message>
        <message>
            <source>connecting</source>
            <translation>正在连接</translation>
        </message>
        <message>
            <source>live</source>
            <translation>实时</translation>
        </message>
        <message>
            <source>reconnecting</source>
            <translation>正在重新连接</translation>
        </message>
        <message>
            <source>complete</source>
            <translation>完整</translation>
        </message>
        <message>
            <source>newer version</source>
            <translation>版本较新</translation>
        </message>
        <message>
            <source>Pause</source>
            <translation>暂停</translation>
        </message>
        <message>
            <source>Go on</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Checkpoint</source>
            <translation>保存检查点</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Sample</source>
            <translation>生成样本</translation>
        </message>
        <message>
            <source>Change a setting</source>
            <translation>更改设置</translation>
        </message>
        <message>
            <source>%1: asked…</source>
            <translation>%1：已请求…</translation>
        </message>
        <message>
            <source>%1: done at step %L2</source>
            <translation>%1：已在第 %L2 步完成</translation>
        </message>
        <message>
            <source>%1: refused. %2</source>
            <translation>%1：被拒绝。%2</translation>
        </message>
        <message>
            <source>%1: no answer yet. The run may be busy with a long step.</source>
            <translation>%1：尚无回应，运行可能正忙于较长的一步。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::RunsPage</name>
        <message>
            <source>Runs</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Filter: words, state:failed, tag:zh, loss&lt;3.2</source>
            <translation>筛选：关键词、state:failed、tag:zh、loss&lt;3.2</translation>
        </message>
        <message>
            <source>Filter</source>
            <translation>筛选</translation>
        </message>
        <message>
            <source>Words are looked for in name, data, tags and note. All conditions must hold; a leading minus turns one round. Key: /</source>
            <translation>在名称、数据、标签和备注中查找关键词。所有条件须同时满足；前加减号表示排除。快捷键：/</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>比较</translation>
        </message>
        <message>
            <source>Choose two or more runs with Ctrl or Shift, then press this (C)</source>
            <translation>用 Ctrl 或 Shift 选择两个或更多运行，然后按此按钮（C）</translation>
        </message>
        <message>
            <source>New run</source>
            <translation>新建运行</translation>
        </message>
        <message numerus="yes">
            <source>History is being rebuilt from %n run folder(s) (%1 done)</source>
            <translation>
                <numerusform>正在从 %n 个运行文件夹重建历史（已完成 %1 个）</numerusform>
            </translation>
        </message>
        <message>
            <source>Opening the history</source>
            <translation>正在打开历史</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n 个运行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 of %n run(s)</source>
            <translation>
                <numerusform>%1 / %n 个运行</numerusform>
            </translation>
        </message>
        <message>
            <source>No runs yet. Start with a small model and your own text.</source>
            <translation>暂无运行。用一个小模型和您自己的文本开始吧。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SamplesTab</name>
        <message>
            <source>Write a sample now</source>
            <translation>立即生成样本</translation>
        </message>
        <message>
            <source>Samples of the run</source>
            <translation>运行的样本</translation>
        </message>
        <message>
            <source>Step %1, written in %2</source>
            <translation>第 %1 步，用时 %2</translation>
        </message>
        <message>
            <source>No sample yet. It takes a moment of the training's time.</source>
            <translation>尚无样本。生成会占用片刻训练时间。</translation>
        </message>
        <message numerus="yes">
            <source>%n sample(s), newest first</source>
            <translation>
                <numerusform>%n 个样本，最新在前</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SectionForm</name>
        <message>
            <source>Fewer settings</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>More settings</source>
            <translation>更多设置</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SettingDifferenceModel</name>
        <message>
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>no</source>
            <translation>否</translation>
        </message>
        <message>
            <source>Setting</source>
            <translation>设置</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SettingEditor</name>
        <message>
            <source>Back to the default</source>
            <translation>恢复默认值</translation>
        </message>
        <message>
            <source>Set %1 back to its default</source>
            <translation>将 %1 恢复为默认值</translation>
        </message>
        <message>
            <source>default %1</source>
            <translation>默认 %1</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>个 token</translation>
        </message>
        <message>
            <source>updates</source>
            <translation>步</translation>
        </message>
        <message>
            <source>rows</source>
            <translation>行</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SettingsPage</name>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Reset this page</source>
            <translation>重置本页</translation>
        </message>
        <message>
            <source>Appearance</source>
            <translation>外观</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>As the desktop</source>
            <translation>跟随系统</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>Folders</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Folder of new runs</source>
            <translation>新运行的文件夹</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>New runs are kept here. Runs in other folders stay where they are.</source>
            <translation>新运行保存在此处。其他文件夹中的运行保持不动。</translation>
        </message>
        <message>
            <source>History</source>
            <translation>历史</translation>
        </message>
        <message>
            <source>Rebuild</source>
            <translation>重建</translation>
        </message>
        <message>
            <source>Reads all run folders again; names, tags and notes are kept</source>
            <translation>重新读取所有运行文件夹；名称、标签和备注会保留</translation>
        </message>
        <message>
            <source>Unmask %1</source>
            <translation>Unmask %1</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s), index of %1. It can be rebuilt from the run folders at any time.</source>
            <translation>
                <numerusform>%n 个运行，索引大小 %1。可随时从运行文件夹重建。</numerusform>
            </translation>
        </message>
        <message>
            <source>Reading the run folders…</source>
            <translation>正在读取运行文件夹…</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) read.</source>
            <translation>
                <numerusform>已读取 %n 个运行。</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 %</source>
            <translation>%1 %</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SingleInstance</name>
        <message>
            <source>The studio is already open but does not answer.</source>
            <translation>工作室已打开，但没有回应。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::Sparkline</name>
        <message>
            <source>Small curve</source>
            <translation>缩略曲线</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::SpecDraft</name>
        <message>
            <source>change %1</source>
            <translation>更改 %1</translation>
        </message>
        <message>
            <source>reset %1</source>
            <translation>重置 %1</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StackedBar</name>
        <message>
            <source>%1 %2</source>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StatTile</name>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>unknown</source>
            <translation>未知</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StateBadge</name>
        <message>
            <source>State: %1</source>
            <translation>状态：%1</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StatusStrip</name>
        <message>
            <source>%1 / %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>%1: %2, %3 left</source>
            <translation>%1：%2，剩余 %3</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>Open live</source>
            <translation>打开实时页面</translation>
        </message>
        <message>
            <source>Nothing is training</source>
            <translation>当前没有训练</translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) active</source>
            <translation>
                <numerusform>%n 个运行进行中</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 free for runs</source>
            <translation>可用空间 %1</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StopDialog</name>
        <message>
            <source>Nothing is lost: the last checkpoint is of this step.</source>
            <translation>不会丢失任何内容：最近的检查点就是这一步。</translation>
        </message>
        <message numerus="yes">
            <source>There is no checkpoint yet: all work (%n step(s), %1) is lost.</source>
            <translation>
                <numerusform>尚无检查点：全部工作（%n 步，%1）都会丢失。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>There is no checkpoint yet: all work (%n step(s)) is lost.</source>
            <translation>
                <numerusform>尚无检查点：全部工作（%n 步）都会丢失。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Work since step %1 (%n step(s), %2) is lost.</source>
            <translation>
                <numerusform>第 %1 步之后的工作（%n 步，%2）会丢失。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Work since step %1 (%n step(s)) is lost.</source>
            <translation>
                <numerusform>第 %1 步之后的工作（%n 步）会丢失。</numerusform>
            </translation>
        </message>
        <message>
            <source>Stop the run</source>
            <translation>停止运行</translation>
        </message>
        <message>
            <source>How should the run end?</source>
            <translation>要如何结束此运行？</translation>
        </message>
        <message>
            <source>Stop and save</source>
            <translation>停止并保存</translation>
        </message>
        <message>
            <source>Writes a checkpoint you can resume from.</source>
            <translation>写入检查点，之后可从中恢复。</translation>
        </message>
        <message>
            <source>Stop without saving</source>
            <translation>停止但不保存</translation>
        </message>
        <message>
            <source>Keep running</source>
            <translation>继续运行</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::StoreWorker</name>
        <message>
            <source>Another studio has the history open. Runs are read from their folders; names, notes and tags cannot be changed in this window.</source>
            <translation>另一个工作室正打开着历史。运行将直接从文件夹读取；此窗口中无法更改名称、备注和标签。</translation>
        </message>
        <message>
            <source>The history file was written by a newer studio (%1). Runs are read from their folders; names, notes and tags cannot be changed with this one.</source>
            <translation>历史文件由较新的工作室写入（%1）。运行将直接从文件夹读取；此版本无法更改名称、备注和标签。</translation>
        </message>
        <message>
            <source>The history file cannot be opened (%1). Runs are read from their folders, and nothing is kept in the history until the studio is started again.</source>
            <translation>无法打开历史文件（%1）。运行将直接从文件夹读取，在重新启动工作室之前历史不会保存任何内容。</translation>
        </message>
        <message>
            <source>The history file was damaged (%1). It was put aside, and the history is being rebuilt from run folders.</source>
            <translation>历史文件已损坏（%1）。已将其移开，正在从运行文件夹重建历史。</translation>
        </message>
        <message>
            <source>The history file is damaged (%1) and cannot be replaced. Runs are read from their folders.</source>
            <translation>历史文件已损坏（%1）且无法替换。运行将直接从文件夹读取。</translation>
        </message>
        <message>
            <source>The history file cannot be replaced. Runs are read from their folders.</source>
            <translation>无法替换历史文件。运行将直接从文件夹读取。</translation>
        </message>
        <message>
            <source>The history is being rebuilt from run folders.</source>
            <translation>正在从运行文件夹重建历史。</translation>
        </message>
        <message>
            <source>Names, notes and tags cannot be changed here, because another studio has the history open.</source>
            <translation>由于另一个工作室正打开着历史，此处无法更改名称、备注和标签。</translation>
        </message>
        <message>
            <source>Your home lies on a file server, where the history file would not be safe. It is kept in %1 on this computer.</source>
            <translation>您的主目录位于文件服务器上，历史文件放在那里并不安全，因此保存在本机的 %1。</translation>
        </message>
    </context>
    <context>
        <name>unmask::ui::ThinProgress</name>
        <message>
            <source>Nothing is loading</source>
            <translation>没有正在加载的内容</translation>
        </message>
    </context>
<context>
    <name>unmask::ui::HostKey</name>
    <message>
        <source>%1 cannot be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>the server showed no key</source>
        <translation>服务器没有给出密钥</translation>
    </message>
</context>
<context>
    <name>unmask::ui::ServerAddress</name>
    <message>
        <source>A command after the host is not taken: %1</source>
        <translation>主机名之后的命令不被接受：%1</translation>
    </message>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation>有引号没有闭合。</translation>
    </message>
    <message>
        <source>After the ] of an address only a port may follow.</source>
        <translation>地址的 ] 之后只能跟端口。</translation>
    </message>
    <message>
        <source>An address has no blanks; a pasted command begins with ssh.</source>
        <translation>地址中不能有空格；粘贴的命令以 ssh 开头。</translation>
    </message>
    <message>
        <source>Jump host: %1</source>
        <translation>跳板机：%1</translation>
    </message>
    <message>
        <source>More than %1 jump hosts are not taken.</source>
        <translation>跳板机最多 %1 台。</translation>
    </message>
    <message>
        <source>The command names no host.</source>
        <translation>命令中没有主机。</translation>
    </message>
    <message>
        <source>The host name is empty or has characters that cannot be in one.</source>
        <translation>主机名为空，或含有不允许的字符。</translation>
    </message>
    <message>
        <source>The option -%1 is not understood here.</source>
        <translation>这里不支持选项 -%1。</translation>
    </message>
    <message>
        <source>The option -%1 lacks its value.</source>
        <translation>选项 -%1 缺少值。</translation>
    </message>
    <message>
        <source>The option -o %1 is not understood here; put it into ~/.ssh/config.</source>
        <translation>这里不支持选项 -o %1；请写入 ~/.ssh/config。</translation>
    </message>
    <message>
        <source>The path of the key has a control character.</source>
        <translation>密钥路径中含有控制字符。</translation>
    </message>
    <message>
        <source>The port must be a number from 1 to 65535.</source>
        <translation>端口必须是 1 到 65535 之间的数。</translation>
    </message>
    <message>
        <source>The user name has characters that cannot be in one, or is empty.</source>
        <translation>用户名为空，或含有不允许的字符。</translation>
    </message>
    <message>
        <source>Type a host name, a name from ~/.ssh/config, or paste an ssh command.</source>
        <translation>请输入主机名、~/.ssh/config 中的名称，或粘贴 ssh 命令。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::ServerList</name>
    <message>
        <source>The list of servers could not be read: %1. It was kept as %2.bad.</source>
        <translation>无法读取服务器列表：%1。已另存为 %2.bad。</translation>
    </message>
    <message>
        <source>The list of servers was not saved: %1</source>
        <translation>服务器列表未能保存：%1</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SshLogin</name>
    <message>
        <source>%1 (no such file)</source>
        <translation>%1（没有这个文件）</translation>
    </message>
    <message>
        <source>%1 (not a private key that can be read)</source>
        <translation>%1（不是可读取的私钥）</translation>
    </message>
    <message>
        <source>%1 (not accepted)</source>
        <translation>%1（未被接受）</translation>
    </message>
    <message>
        <source>%1 (not used: others may read it; chmod 600 puts that right)</source>
        <translation>%1（未使用：其他人可以读取它；chmod 600 即可改正）</translation>
    </message>
    <message>
        <source>%1 (wrong passphrase)</source>
        <translation>%1（密码短语不对）</translation>
    </message>
    <message>
        <source>%1 did not let %2 in. It accepts: %3. Tried: %4.</source>
        <translation>%1 没有让 %2 登录。它接受：%3。已尝试：%4。</translation>
    </message>
    <message>
        <source>Log in to %1 as %2</source>
        <translation>以 %2 的身份登录 %1</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>密码短语</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>That password was not accepted.</source>
        <translation>该密码未被接受。</translation>
    </message>
    <message>
        <source>The connection to %1 ended during the login: %2</source>
        <translation>登录期间与 %1 的连接断开：%2</translation>
    </message>
    <message>
        <source>The key %1 is locked with a passphrase.</source>
        <translation>密钥 %1 由密码短语保护。</translation>
    </message>
    <message>
        <source>The login was cancelled.</source>
        <translation>登录已取消。</translation>
    </message>
    <message>
        <source>a password (wrong)</source>
        <translation>密码（不对）</translation>
    </message>
    <message>
        <source>a password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>answers to its questions (not accepted)</source>
        <translation>对其问题的回答（未被接受）</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>nothing we know</source>
        <translation>我们不认识的方式</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>the agent (none of its keys is accepted)</source>
        <translation>代理（其密钥均未被接受）</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SshRoute</name>
    <message>
        <source>Jump host: %1</source>
        <translation>跳板机：%1</translation>
    </message>
    <message>
        <source>The way to this server has more than %1 jump hosts, or goes in a circle.</source>
        <translation>到此服务器的路径超过 %1 台跳板机，或形成了环。</translation>
    </message>
    <message>
        <source>~/.ssh/config reaches this server by a ProxyCommand that is not `ssh -W`. Use ProxyJump instead.</source>
        <translation>~/.ssh/config 用不是 `ssh -W` 的 ProxyCommand 连接此服务器。请改用 ProxyJump。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SshStep</name>
    <message>
        <source>Agree on encryption</source>
        <translation>协商加密</translation>
    </message>
    <message>
        <source>Check the host key</source>
        <translation>核对主机密钥</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Find the host</source>
        <translation>查找主机</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Read the configuration</source>
        <translation>读取配置</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SshThread</name>
    <message>
        <source>%1 SHOWS A KEY OF ANOTHER KIND (%2) than the one known. Somebody may be listening in between. Nothing was sent.</source>
        <translation>%1 给出了与已知密钥不同种类的密钥（%2）。可能有人在中间窃听。没有发送任何内容。</translation>
    </message>
    <message>
        <source>%1 is not known here yet. Compare its fingerprint with what whoever runs it tells you.</source>
        <translation>这里还不认识 %1。请把它的指纹与管理者告诉您的相比较。</translation>
    </message>
    <message>
        <source>Is this the right machine?</source>
        <translation>这是正确的机器吗？</translation>
    </message>
    <message>
        <source>No encryption could be agreed on with %1: %2</source>
        <translation>无法与 %1 协商加密：%2</translation>
    </message>
    <message>
        <source>THE KEY OF %1 HAS CHANGED. Somebody may be listening in between. It now shows %2 %3. Nothing was sent. Ask whoever runs the machine; if the new key is right, remove the old line with: ssh-keygen -R %1</source>
        <translation>%1 的密钥已改变。可能有人在中间窃听。它现在给出 %2 %3。没有发送任何内容。请询问管理者；如果新密钥正确，用此命令删除旧行：ssh-keygen -R %1</translation>
    </message>
    <message>
        <source>The connection to %1 was lost: %2</source>
        <translation>与 %1 的连接已丢失：%2</translation>
    </message>
    <message>
        <source>The connection to the server is down.</source>
        <translation>与服务器的连接已断开。</translation>
    </message>
    <message>
        <source>The jump host %1 cannot reach %2:%3: %4</source>
        <translation>跳板机 %1 无法连接 %2:%3：%4</translation>
    </message>
    <message>
        <source>The key of %1 could not be remembered: %2</source>
        <translation>无法记住 %1 的密钥：%2</translation>
    </message>
    <message>
        <source>The key of %1 has been revoked in known_hosts. Nothing was sent.</source>
        <translation>%1 的密钥已在 known_hosts 中被吊销。没有发送任何内容。</translation>
    </message>
    <message>
        <source>The key of %1 was not accepted.</source>
        <translation>%1 的密钥未被接受。</translation>
    </message>
    <message>
        <source>Whether %1 is the right machine cannot be checked: %2.</source>
        <translation>无法核对 %1 是否为正确的机器：%2。</translation>
    </message>
    <message>
        <source>nothing was heard from it for %1 s</source>
        <translation>%1 秒内没有收到它的任何内容</translation>
    </message>
</context>
<context>
    <name>unmask::ui::TcpLine</name>
    <message>
        <source>%1 accepted the connection but said nothing within %2 s. An SSH server speaks first, so another program may be listening there.</source>
        <translation>%1 接受了连接，但 %2 秒内没有说话。SSH 服务器会先开口，所以那里可能是另一个程序。</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2.</source>
        <translation>无法连接 %1：%2。</translation>
    </message>
    <message>
        <source>%1 closed the connection before it said anything. It may refuse this computer, or have too many connections.</source>
        <translation>%1 什么也没说就关闭了连接。它可能拒绝这台电脑，或连接太多。</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s. Is the machine on, and does a firewall let you through?</source>
        <translation>%1 在 %2 秒内没有应答。机器开着吗？防火墙放行吗？</translation>
    </message>
    <message>
        <source>%1 refused the connection: nothing listens on that port. Is SSH running there, and is the port right?</source>
        <translation>%1 拒绝了连接：该端口上没有程序监听。那里运行着 SSH 吗？端口对吗？</translation>
    </message>
    <message>
        <source>Called off.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>The name %1 was not found within %2 s.</source>
        <translation>%2 秒内没有找到名称 %1。</translation>
    </message>
    <message>
        <source>There is no host named %1 (%2).</source>
        <translation>没有名为 %1 的主机（%2）。</translation>
    </message>
    <message>
        <source>What listens at %1 is not SSH. It said: %2</source>
        <translation>在 %1 监听的不是 SSH。它说：%2</translation>
    </message>
</context>
<context>
    <name>unmask::ui::ChannelPump</name>
    <message>
        <source>The server opened no channel: %1</source>
        <translation>服务器没有打开通道：%1</translation>
    </message>
</context>
<context>
    <name>unmask::ui::RemoteCommand</name>
    <message>
        <source>the program ended with code %1 and said nothing</source>
        <translation>程序以代码 %1 结束，没有任何输出</translation>
    </message>
    <message>
        <source>The program on the server did not end within %1 s.</source>
        <translation>服务器上的程序没有在 %1 秒内结束。</translation>
    </message>
    <message>
        <source>The shell on the server did not answer within %1 s.</source>
        <translation>服务器上的 shell 在 %1 秒内没有应答。</translation>
    </message>
    <message>
        <source>A word holds a character that no program can be given.</source>
        <translation>有一个词包含无法传给任何程序的字符。</translation>
    </message>
    <message>
        <source>The program on the server said more than %1 bytes.</source>
        <translation>服务器上的程序输出超过 %1 字节。</translation>
    </message>
    <message>
        <source>The program on the server was broken off.</source>
        <translation>服务器上的程序被中断。</translation>
    </message>
    <message>
        <source>The account on the server starts no shell.</source>
        <translation>服务器上的账户没有启动 shell。</translation>
    </message>
    <message>
        <source>The account on the server starts no shell. It said: %1</source>
        <translation>服务器上的账户没有启动 shell。它说：%1</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SftpClient</name>
    <message>
        <source>The server ended the transfer of files.</source>
        <translation>服务器结束了文件传输。</translation>
    </message>
    <message>
        <source>The server offers no transfer of files (SFTP).</source>
        <translation>服务器不提供文件传输（SFTP）。</translation>
    </message>
    <message>
        <source>The server&apos;s answer is no SFTP. Does something print on that channel, such as a line in .bashrc?</source>
        <translation>服务器的应答不是 SFTP。是否有东西在该通道上输出，例如 .bashrc 中的某一行？</translation>
    </message>
    <message>
        <source>The server answered a request that was never made.</source>
        <translation>服务器应答了一个从未发出的请求。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SftpDownload</name>
    <message>
        <source>%1 cannot be made: %2</source>
        <translation>无法创建 %1：%2</translation>
    </message>
    <message>
        <source>%1 on the server is no file.</source>
        <translation>服务器上的 %1 不是文件。</translation>
    </message>
    <message>
        <source>%1 on the server has no size that makes sense.</source>
        <translation>服务器上的 %1 的大小不合理。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read.</source>
        <translation>%1 在读取过程中变短了。</translation>
    </message>
    <message>
        <source>What came from %1 is not what lies there: its hash is another. Perhaps it is being written.</source>
        <translation>从 %1 取得的内容与那里的文件不同：哈希值不一致。也许它正在被写入。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::SftpUpload</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>The disk of the server has %1 MB of room for %2, which needs %3 MB.</source>
        <translation>服务器磁盘只剩 %1 MB，而 %2 需要 %3 MB。</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read.</source>
        <translation>%1 在读取过程中变短了。</translation>
    </message>
    <message>
        <source>The server could not write %1 (%2). Its disk or your quota there may be full.</source>
        <translation>服务器无法写入 %1（%2）。它的磁盘或您在那里的配额可能已满。</translation>
    </message>
    <message>
        <source>What arrived as %1 is not what was sent: its hash is another. Perhaps %2 was changed on the way.</source>
        <translation>到达 %1 的内容与发送的不同：哈希值不一致。也许 %2 在传输途中被修改。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::TransferWork</name>
    <message>
        <source>%1 is no whole path on the server.</source>
        <translation>%1 不是服务器上的完整路径。</translation>
    </message>
    <message>
        <source>There is no %1 on the server.</source>
        <translation>服务器上没有 %1。</translation>
    </message>
    <message>
        <source>The account on the server may not use %1 in this way.</source>
        <translation>服务器上的账户无权这样使用 %1。</translation>
    </message>
    <message>
        <source>The server refused something with %1: %2</source>
        <translation>服务器拒绝了对 %1 的操作：%2</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read.</source>
        <translation>%1 在读取过程中变短了。</translation>
    </message>
    <message>
        <source>The transfer was cancelled.</source>
        <translation>传输已取消。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::ServerProbe</name>
    <message>
        <source>The server broke off while it said what it has: %1</source>
        <translation>服务器在说明自身配置时中断：%1</translation>
    </message>
</context>
<context>
    <name>unmask::ui::EngineBundle</name>
    <message>
        <source>The engine is built for Linux on %1; the server is %2 on %3.</source>
        <translation>引擎是为 %1 上的 Linux 构建的；该服务器是 %3 上的 %2。</translation>
    </message>
    <message>
        <source>The server&apos;s system is too old: it has glibc %1, and the engine needs %2. Build the bundle on a system as old as the server&apos;s, or use a container there.</source>
        <translation>服务器的系统太旧：它的 glibc 是 %1，而引擎需要 %2。请在与服务器同样旧的系统上制作引擎包，或在服务器上使用容器。</translation>
    </message>
    <message>
        <source>The disk of the home folder on the server has %1 MB of room; %2 MB are needed.</source>
        <translation>服务器上主文件夹所在的磁盘还有 %1 MB；需要 %2 MB。</translation>
    </message>
    <message>
        <source>PyTorch %1 was not found on the server. Install it there (pip install torch==%1.0), or name its folder in the server&apos;s environment: UNMASK_TORCH_DIR=/path/to/torch</source>
        <translation>在服务器上没有找到 PyTorch %1。请在那里安装（pip install torch==%1.0），或在该服务器的环境变量中写明其文件夹：UNMASK_TORCH_DIR=/path/to/torch</translation>
    </message>
    <message>
        <source>This engine was not built for the GPUs of the server: %1.</source>
        <translation>此引擎不是为该服务器的 GPU 构建的：%1。</translation>
    </message>
</context>
<context>
    <name>unmask::ui::EngineDeploy</name>
    <message>
        <source>Look what the server has</source>
        <translation>查看服务器配置</translation>
    </message>
    <message>
        <source>Upload the engine</source>
        <translation>上传引擎</translation>
    </message>
    <message>
        <source>Unpack and check it</source>
        <translation>解包并检查</translation>
    </message>
    <message>
        <source>Try it out</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>The account on the server has no home folder.</source>
        <translation>服务器上的账户没有主文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>What was unpacked on the server is not what was packed. Is its disk all right?</source>
        <translation>在服务器上解包的内容与打包的不同。它的磁盘正常吗？</translation>
    </message>
    <message>
        <source>The engine could not be unpacked on the server; its disk or your quota may be full: %1</source>
        <translation>无法在服务器上解包引擎；它的磁盘或您的配额可能已满：%1</translation>
    </message>
    <message>
        <source>Libraries are missing on the server: %1. Whoever runs it can install them.</source>
        <translation>服务器上缺少库：%1。可请其管理者安装。</translation>
    </message>
    <message>
        <source>The engine does not start on the server: %1</source>
        <translation>引擎无法在服务器上启动：%1</translation>
    </message>
</context>
<context>
    <name>unmask::ui::RemoteTransport</name>
    <message>
        <source>The server was taken from the list.</source>
        <translation>该服务器已从列表中移除。</translation>
    </message>
    <message>
        <source>The engine is not on the server: %1</source>
        <translation>服务器上没有引擎：%1</translation>
    </message>
</context>
<context>
    <name>unmask::ui::ServerLink</name>
    <message>
        <source>The server has said nothing for a while.</source>
        <translation>服务器已有一段时间没有任何回应。</translation>
    </message>
</context>
</TS>
