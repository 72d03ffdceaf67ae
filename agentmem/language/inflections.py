"""Irregular English forms, which no stemmer leads back: went is a form of go, children of child.

Forms that are as often a word of their own (rose, ground, wound, lay) are left as they are.
"""

_FORMS = """
be: am is are was were been being | become: became | begin: began begun | bend: bent | bite: bit bitten
blow: blew blown | break: broke broken | breed: bred | bring: brought | build: built | burn: burnt | buy: bought
catch: caught | choose: chose chosen | cling: clung | come: came | creep: crept | deal: dealt | dig: dug
do: did done does | draw: drew drawn | dream: dreamt | drink: drank drunk | drive: drove driven | eat: ate eaten
fall: fell fallen | feed: fed | feel: felt | fight: fought | find: found | flee: fled | fly: flew flown
forbid: forbade forbidden | forget: forgot forgotten | forgive: forgave forgiven | freeze: froze frozen
get: got gotten | give: gave given | go: went gone goes | grow: grew grown | hang: hung | have: had has
hear: heard | hide: hid hidden | hold: held | keep: kept | kneel: knelt | know: knew known | lead: led
lean: leant | leap: leapt | learn: learnt | leave: left | lend: lent | lie: lain | light: lit | lose: lost
make: made | mean: meant | meet: met | mistake: mistook mistaken | overcome: overcame | pay: paid
prove: proven | ride: rode ridden | ring: rang rung | rise: risen | run: ran | say: said | see: saw seen
seek: sought | sell: sold | send: sent | sew: sewn | shake: shook shaken | shine: shone | shoot: shot
show: shown | shrink: shrank shrunk | sing: sang sung | sink: sank sunk | sit: sat | sleep: slept | slide: slid
smell: smelt | speak: spoke spoken | spell: spelt | spend: spent | spill: spilt | spin: spun
spring: sprang sprung | stand: stood | steal: stole stolen | stick: stuck | strike: struck stricken
strive: strove striven | swear: swore sworn | sweep: swept | swell: swollen | swim: swam swum | swing: swung
take: took taken | teach: taught | tear: tore torn | tell: told | think: thought | throw: threw thrown
undergo: underwent undergone | understand: understood | undertake: undertook undertaken | wake: woke woken
wear: wore worn | weave: wove woven | weep: wept | win: won | withdraw: withdrew withdrawn
write: wrote written | child: children | foot: feet | goose: geese | half: halves | knife: knives | loaf: loaves
man: men | mouse: mice | person: people | shelf: shelves | tooth: teeth | wife: wives | wolf: wolves
woman: women
""".strip()

BASE_OF = {
    form: base
    for entry in _FORMS.replace("\n", " | ").split("|")
    for base, _, forms in [entry.strip().partition(": ")]
    for form in forms.split()
}
"""Inflected form to base form, both in lower case."""
