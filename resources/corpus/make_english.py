# SPDX-License-Identifier: Apache-2.0
"""Writes english.txt: short original pieces put together from sentences written for this project.

Same script, same text: the generator is seeded, so the committed file can be made again at any time.
"""
import pathlib
import random

PEOPLE = [
    ("Mara", "she", "her"), ("Tobin", "he", "his"), ("Old Ilse", "she", "her"), ("Jonas", "he", "his"),
    ("Wren", "she", "her"), ("the ferryman", "he", "his"), ("Aunt Petra", "she", "her"), ("Samuel", "he", "his"),
    ("Linnea", "she", "her"), ("the baker", "he", "his"), ("Dora", "she", "her"), ("Captain Hale", "he", "his"),
    ("little Nils", "he", "his"), ("Ada", "she", "her"), ("the clockmaker", "he", "his"), ("Yusuf", "he", "his"),
    ("Rosalind", "she", "her"), ("the lamplighter", "he", "his"), ("Greta", "she", "her"), ("Emeka", "he", "his"),
]
PLACES = [
    "the harbour", "the mill by the weir", "the hill above the village", "the long bridge", "the market square",
    "the old library", "the orchard", "the railway station", "the lighthouse", "the bakery in Tin Lane",
    "the salt road", "the glass house", "the last farm before the moor", "the reading room", "the boat shed",
    "the school yard", "the bell tower", "the quiet side of the lake",
]
THINGS = [
    "a brass compass", "a letter without a stamp", "a basket of pears", "a red umbrella", "a broken kite",
    "an iron key", "a map drawn on linen", "a jar of honey", "a book with no last page", "a small blue bottle",
    "a wooden bird", "a pocket watch that ran backwards", "a loaf of dark bread", "a lantern", "a roll of green thread",
    "a tin whistle", "a chess piece, the white queen", "a sack of seed corn", "a pair of mended boots", "a glass marble",
]
SHORT = {thing: thing.split(" ", 1)[1].split(",")[0].split(" that ")[0].split(" with")[0].split(" drawn")[0] for thing in THINGS}
WEATHER = [
    "Rain had fallen since before dawn.", "The morning was clear and very cold.", "Fog lay on the water like wool.",
    "It was the first warm evening of the year.", "A dry wind came down from the hills.",
    "Snow had covered the roofs in the night.", "The sun stood high and the shadows were short.",
    "Thunder walked about somewhere behind the mountains.", "The sky was the colour of pewter.",
    "Leaves were turning, and the air smelled of apples.", "Nobody could remember such a bright October.",
    "The frost had drawn ferns on every window.",
]
OPENING = [
    "{P} came to {place} carrying {thing}.", "Every Thursday {P} walked to {place}, and this Thursday {p} found {thing} there.",
    "On the steps of {place} somebody had left {thing}, and it was {P} who picked it up.",
    "{P} had promised to bring {thing} to {place} before noon.", "There was {thing} on the wall of {place}, and {P} could not walk past it.",
    "When {P} was young, {p} once hid {thing} near {place}.", "It began, as {P} later told it, with {thing} and a closed door at {place}.",
    "{P} did not believe in luck until {p} lost {thing} at {place}.", "Nobody in the village owned {thing}, except {P}, who kept it at {place}.",
]
MIDDLE = [
    "The {short} was heavier than it looked.", "{Q} asked what it was for, and {P} said that was the whole question.",
    "For a while {p} only stood and listened to the water.", "A dog came, looked at {P}, and went away again.",
    "{P} counted the windows twice and came to a different number each time.",
    "\"You can keep it,\" said {Q}, \"but you cannot keep it a secret.\"", "The clock struck four, although it was hardly three.",
    "{P} sat down on a crate and thought about it the way one thinks about a debt.",
    "Some things, {Q} liked to say, are only lost so that somebody may find them.",
    "By then the whole street had heard, and everybody had a different opinion.",
    "{P} laughed, because there was nothing else to do.", "The smell of fresh bread came round the corner and changed {r} mind.",
    "{Q} had seen one like it years ago, in a town that was no longer on any map.",
    "{P} turned it over in {r} hands and found two letters scratched into it.", "Two gulls argued about it from the railing.",
    "There are easier ways to spend a morning, but none of them would have been as good.",
    "{P} wrote down what {p} knew on a scrap of paper: it was not much, but it was tidy.",
    "Then the lights came on, one after another, as if somebody were reading them aloud.",
    "\"It belongs to whoever needs it most,\" said {Q}, and shrugged.", "The path was steeper than {p} remembered, and shorter.",
    "A child asked whether it was magic, and {P} said no, only well made.", "{P} tried it once, carefully, and put it back.",
    "The ferry was late, so there was time for the long version of the story.",
    "{Q} offered three coins and a cup of tea, which was more than fair.",
    "What nobody had expected was that it would work at the first attempt.",
    "{P} did what {p} always did when {p} was unsure: {p} swept the floor.",
    "Halfway there {p} met {Q}, who was going the other way for the same reason.",
    "The water rose a hand's breadth and then thought better of it.", "It was not the answer, but it was a better question.",
]
ENDING = [
    "In the evening {P} put the {short} on the shelf, where it still is.", "After that, {place} was never quite an ordinary place again.",
    "{Q} still tells it differently, and {P} lets {q}.", "So it was settled, and they walked home by the lower road.",
    "The next day it rained, and nobody minded.", "{P} kept the promise, which surprised no one but {P}.",
    "And if you go to {place} today, you can see the mark it left.", "That night {P} slept well for the first time since spring.",
    "The {short} was returned, with thanks, and with a small dent.", "They never found out who had left it, and in time they stopped asking.",
    "\"Next year, then,\" said {Q}, and that was that.", "It is a small story, but it is entirely true.",
]
LINES = [
    "Have you seen {thing} anywhere?", "I left it at {place}, I am sure of it.", "You said that last week.",
    "Last week it was true.", "What does it look like?", "Like any other, only more so.", "Did you ask {Q}?",
    "I asked everybody. They all send their regards.", "Then we should begin at the beginning.", "Which beginning?",
    "The one with the door.", "It was locked.", "It is never locked on a market day.", "I did not know it was a market day.",
    "You could smell it from here: onions, leather, wet wool.", "I thought that was the river.", "Be quiet for a moment.",
    "Why?", "I am trying to remember a number.", "Was it seven?", "It was a kind of seven.", "You worry too much.",
    "Somebody has to.", "Shall I carry that for you?", "Only if you do not ask what is in it.", "What is in it?",
    "There, you see.", "How far is it now?", "Two fields and a fence.", "And then?", "Then we ask again.",
    "I would rather stay here.", "So would everybody. That is why the path is so narrow.", "Look, the light is on.",
    "It has been on all night.", "Somebody forgot it.", "Or somebody is waiting.", "You always think of the kind reason first.",
    "It saves time.", "Listen: the bells.", "They are late again.", "No, we are early.", "That would be something new.",
]
LETTER_OPEN = [
    "Dear {Q},\nthank you for your letter, which took eleven days and arrived a little wet.", "My dear {Q},\nyou ask how things are at {place}. They are as they were, only greener.",
    "Dear {Q},\nI am writing this on my knee, on the train, so forgive the hand.", "Dear {Q},\nthe parcel has come, and {thing} was in it, whole, and wrapped in your old scarf.",
]
LETTER_MIDDLE = [
    "We have had a good year for beans and a poor one for everything else.", "The roof held, in spite of what you said about the roof.",
    "{P} sends greetings and wants the ladder back.", "I have begun to read in the evenings again, slowly, a page or two.",
    "The children built a boat, and to the general astonishment it floats.", "Yesterday I walked to {place} and thought of you and of the summer with the wasps.",
    "There is a new teacher, who plays the cello with the windows open.", "Do you remember {thing}? It has turned up behind the stove.",
    "I am well, apart from the knee, which is a barometer now.", "They have painted the bridge, and it is not the colour that was promised.",
    "If you come in May, bring boots; if you come in June, bring patience.", "The cat has moved to the neighbours and visits us on Sundays.",
    "I counted the swallows this morning: thirty one, and one that would not keep still.", "Nobody here talks about it any more, which is the best kind of peace.",
]
LETTER_END = ["Write soon, and write legibly.\nYours,\n{P}", "Keep warm.\nYour old friend,\n{P}", "The post leaves at six, so I stop here.\nWith love,\n{P}",
              "Come when you can; the key is where it always was.\n{P}"]
NOTES = [
    "Measured the depth at {place}: two feet less than in spring.", "Oiled the hinges. They complained, then stopped.",
    "Bought nails, lamp oil, and a pencil.", "{P} came by with {thing} and stayed for supper.", "Wind from the west, later none at all.",
    "Read until midnight; the candle gave up before I did.", "Planted the second row of peas.", "No post.", "Post at last: a bill and a joke.",
    "Saw a heron standing so still that I took off my hat to it.", "Mended the fence where the goat had opinions about it.",
    "The well is clear again.", "Baked: too much salt. Baked again: better.", "Walked to {place} and back without meeting anyone.",
    "A night of stars, and one of them fell.", "The barometer and {P} disagree; the barometer was right.", "Began the long repair of the boat.",
    "Slept badly. Rose early. Worked well.", "Heard the first cuckoo, or {P} practising.", "Paid the ferryman what I owed, and he gave me half of it back.",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
FABLES = [
    ("heron", "frog", "The {a} boasted that it could stand on one leg for a whole day.", "\"And I,\" said the {b}, \"can sit on none at all.\"",
     "What is hard for one is furniture for another."),
    ("fox", "mole", "The {a} laughed at the {b} because it had never seen the moon.", "\"You have never seen the roots of the oak,\" said the {b}, \"and yet you sleep on them.\"",
     "Nobody sees more than his own half of the world."),
    ("river", "stone", "The {a} told the {b} to move aside.", "\"Wait a thousand years,\" said the {b}, and the {a} did, and it was right.", "Patience is a kind of argument."),
    ("crow", "thrush", "The {a} collected bright things, and the {b} collected songs.", "When the thief came he took the bright things, and whistled.",
     "Own what cannot be carried away."),
    ("ox", "gnat", "A {b} sat down on the horn of an {a} and after an hour offered to leave.", "\"I had not noticed that you came,\" said the {a}.", "We are lighter than we think."),
    ("candle", "mirror", "The {b} claimed that it gave as much light as the {a}.", "Then the {a} went out, and both were very quiet.", "Borrowed light is paid back in the dark."),
    ("goat", "gate", "The {a} pushed against the {b} all morning.", "At noon a child came and pulled it.", "Strength is no use in the wrong direction."),
    ("spider", "bee", "The {a} said that the {b} worked for others.", "\"And you work against them,\" said the {b}, \"and we are both tired.\"", "Work is not made sweet by being one's own."),
]
STEPS = {
    "Bread for a cold morning": ["Warm the bowl first, or the dough will sulk.", "Mix four cups of flour with one of rye.", "Stir in salt, and yeast that has been woken with honey.",
        "Knead until it answers when you press it.", "Cover it and do something else for an hour.", "Shape it without talking.", "Bake it until it sounds hollow when you knock.",
        "Wait, which is the hardest step."],
    "How to fold a paper boat": ["Take a sheet that has been written on already; it floats better.", "Fold it in half, and make the fold sharp with a thumbnail.", "Turn the corners down to the middle.",
        "Fold the edges up on both sides.", "Open it like a hat, and flatten the hat into a square.", "Pull the two points apart, slowly.", "Give it a name before it touches the water."],
    "To mend a kettle": ["Empty it, and look at the light through the hole.", "Clean round the hole with sand until it shines.", "Cut a patch the size of a coin.", "Warm kettle and solder together.",
        "Press the patch down and count to forty.", "Fill it, and put it on a dry plate overnight.", "If the plate is dry in the morning, make tea; if not, begin again."],
    "To read a tide table": ["Find the month, then the day.", "The first number is the hour of high water, the second its height.", "Add an hour in summer.", "Between the tides the water is slow for a while; that is the time to cross.",
        "Never trust a table more than your boots.", "If the birds are walking, so can you."],
    "To plant an apple tree": ["Choose a place that has sun in the afternoon.", "Dig a hole twice as wide as you think right.", "Spread the roots like the fingers of a hand.", "Fill the earth back in, and tread it down gently.",
        "Water it even if it rains.", "Tie it to a stake, but not tightly.", "Come back in seven years."],
}
FACTS = [
    "The village has {n} houses, {m} chimneys and one clock.", "{Place} was built by people who could not agree, so it has two front doors.", "In winter the road is closed for {m} days, and nobody goes anywhere, and it is pleasant.",
    "There are {n} steps up to the tower, and children know which one is loose.", "The well is {m} feet deep, and its water tastes of iron.", "On market days there are {n} stalls, most of them selling cheese.",
    "The oldest tree stands near {place}; four people can just reach round it.", "The river is called the Anner, which means nothing, or used to mean cold.", "Three families here are named Marsh, and none of them is related.",
    "The train stops for two minutes, and the driver waves.", "It is {n} miles to the sea, a little less if you cut across the moor.", "The inn has {m} rooms and a piano with most of its keys.",
]


def fill(text, r, **more):
    return text.format(**more)


def cap(text):
    return text[0].upper() + text[1:]


def cast(r):
    a, b = r.sample(PEOPLE, 2)
    thing = r.choice(THINGS)
    place = r.choice(PLACES)
    return dict(P=a[0], p=a[1], r=a[2], Q=b[0], q={"she": "her", "he": "him"}[b[1]], thing=thing, short=SHORT[thing], place=place,
                Place=cap(place), n=r.randint(20, 99), m=r.randint(3, 19))


def sentences(r, lines, count, c):
    return [cap(line.format(**c)) for line in r.sample(lines, count)]


def story(r):
    c = cast(r)
    middle = sentences(r, MIDDLE, r.randint(5, 9), c)
    cut = r.randint(2, len(middle) - 2)
    return "\n".join([" ".join([r.choice(WEATHER), cap(r.choice(OPENING).format(**c))] + middle[:cut]),
                      " ".join(middle[cut:] + [cap(r.choice(ENDING).format(**c))])])


def dialogue(r):
    c = cast(r)
    start = r.randint(0, len(LINES) - 12)
    count = r.randint(8, 12)
    speakers = [cap(c["P"]), cap(c["Q"])]
    out = []
    for i, line in enumerate(LINES[start:start + count]):
        out.append(speakers[i % 2] + ": " + line.format(**c))
    return "\n".join(out)


def letter(r):
    c = cast(r)
    c["P"], c["Q"] = cap(c["P"]), cap(c["Q"])
    return r.choice(LETTER_OPEN).format(**c) + " " + " ".join(sentences(r, LETTER_MIDDLE, r.randint(4, 7), c)) + "\n" + r.choice(LETTER_END).format(**c)


def notebook(r):
    first = r.randint(0, 6)
    out = ["From the notebook of " + r.choice(PEOPLE)[0] + "."]
    for i in range(r.randint(3, 5)):
        c = cast(r)
        out.append(DAYS[(first + i) % 7] + ". " + " ".join(sentences(r, NOTES, r.randint(2, 4), c)))
    return "\n".join(out)


def fable(r):
    a, b, first, second, moral = r.choice(FABLES)
    c = cast(r)
    c.update(a=a, b=b)
    return "The " + a + " and the " + b + "\n" + " ".join([r.choice(WEATHER), first.format(**c), r.choice(
        ["Nobody answered for a while.", "The others stopped to listen.", "It was a slow day, and there was time for such things.", "It had said so before."]), second.format(**c)]) + "\n" + moral


def steps(r):
    title = r.choice(list(STEPS))
    lines = STEPS[title]
    c = cast(r)
    head = title + ", as " + c["P"] + " does it"
    return head + "\n" + "\n".join(f"{i + 1}. {line}" for i, line in enumerate(lines)) + "\n" + cap(r.choice(ENDING).format(**c))


def description(r):
    c = cast(r)
    return cap(c["place"]) + "\n" + " ".join(sentences(r, FACTS, r.randint(4, 6), c) + sentences(r, MIDDLE, 2, c))


def main():
    r = random.Random(20261201)
    kinds = [story] * 9 + [dialogue] * 3 + [letter] * 3 + [notebook] * 2 + [fable] + [steps] + [description] * 2
    folder = pathlib.Path(__file__).parent
    pieces = [(folder / "english_by_hand.txt").read_text(encoding="utf-8").strip()]
    size = len(pieces[0])
    while size < 200_000:
        piece = r.choice(kinds)(r)
        size += len(piece) + 2
        pieces.append(piece)
    (folder / "english.txt").write_text("\n\n".join(pieces) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
