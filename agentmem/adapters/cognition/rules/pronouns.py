"""Whom he and she, 他 and 她 mean: the only one who was named in this turn or the last and may be of that gender, and else
nobody."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterable, Iterator

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acquaintances import Acquaintances

_I = re.IGNORECASE
_SEVERAL = "parents?|twins|children|kids|family|in-laws|爸妈|父母|双胞胎|兄弟|姐妹|兄妹|姐弟|弟兄|亲戚|家人|家里人"
_SOMEBODY = re.compile(
    rf"(?P<several>(?:{_SEVERAL})(?![a-z]))|\b(?P<en>{en.HOUSEHOLD}|{en.COLLEAGUES}|girl|boy|lady|woman|man|guy|bloke)\b"
    rf"|\b(?:my|our|the|an?) [a-z]+, (?P<name>(?-i:[A-Z]\w+))|(?P<zh>{zh.RELATED}|大姐|大爷|大妈|大叔|姑娘|小伙子?|老太太|老头子?|师傅)|(?P<called>[{zh.SURNAMES}](?:{zh.TITLES})|[老小](?![师板家人时心])[{zh.SURNAMES}](?![\u4e00-\u9fff]?[子些]))",
    _I,
)
_MALE = re.compile(
    r"爸|父|爹|公|哥|弟(?!媳|妹|妇)|儿子|孙子|孙$|舅(?!妈|母)|叔|伯(?!母)|爷|丈夫|夫$|女婿|男|侄子|侄儿$|外甥(?!女)|老丈人|小伙|大叔|老头|先生"
    r"|\b(?:father|dad|daddy|brother|son|husband|uncle|nephew|grandpa|grandad|grandfather|boyfriend|boy|man|guy|bloke|mr)\b",
    _I,
)
_FEMALE = re.compile(
    r"妈|母|婆|姐(?!夫)|妹(?!夫)|女(?!婿)|姑(?!父|丈|夫|爷)|姨(?!父|夫|丈)|奶|姥|嫂|媳|太太|妻|婶|闺|弟妹|小姐|女士"
    r"|\b(?:mother|mum|mom|mummy|sister|daughter|wife|missus|aunt|niece|gran|granny|nana?|grandma|grandmother|girlfriend|girl|lady|woman|mrs|ms|miss)\b",
    _I,
)
_IS = re.compile(
    r"(?:是|当|做|叫)(?:我们?的?|一?[个名位])?$|\b(?:is|was|as|called|named)(?: (?:an?|my|our|the))? $|'s (?:an?|my|our|the) $",
    _I,
)
"""What stands before a word that says what somebody is who was named."""
_HE = re.compile(r"他|\b(?:he|him|his)\b", _I)
_SHE = re.compile(r"她|\b(?:she|hers?)\b", _I)


class Named:
    """Who was named, each by a key: a name, or the word for what he is to the speaker."""

    def __init__(self, people: Acquaintances, speaker: str) -> None:
        self._people, self._speaker = people, speaker

    def key(self, person: str) -> str:
        """One key for a person however he is called."""
        if person in self._people.kin:
            return person
        kin = person.removeprefix(self._speaker)
        word = kin.removeprefix("的").removeprefix("'s ") if kin != person else person
        return self._people.of_kin(word) or _plain(word)

    def within(self, text: str) -> set[str]:
        """The keys of all whom a text names, whatever it says of them."""
        return set(self._keys(text))

    def meant(self, pronoun: str, text: str, told: Iterable[str], before: str | None) -> str | None:
        """Of those whom the text up to the pronoun tells of, the only one it may mean; `before` where it names nobody."""
        persons = {self.key(person): person for person in told}
        for person in persons.values():  # Ivo Brand is no other Ivo
            text = text.replace(person, " ")
        may_be = [key for key in persons.keys() | self.within(text) if self._fits(key, pronoun)]
        if may_be:
            return persons.get(may_be[0]) if len(may_be) == 1 else None
        return before if before is not None and self._fits(self.key(before), pronoun) else None

    def after(self, text: str, told: Iterable[str], before: str | None) -> str | None:
        """Whom a pronoun may mean in the turn after this one."""
        persons = {self.key(person): person for person in told}
        keys = persons.keys() | self.within(text)
        if not keys:
            return before if _HE.search(text) or _SHE.search(text) else None
        return persons.get(next(iter(keys))) if len(keys) == 1 else None

    def _keys(self, text: str) -> Iterator[str]:
        names = [name for name in self._people.kin if name in text]
        for name in names:
            yield self.key(self._people.called(name) or name)
        for found in _SOMEBODY.finditer(text):
            word = found["en"] or found["zh"] or found["called"] or found["name"]
            named = any(text.startswith(name, found.end() + gap) for name in names for gap in (0, 1, 2))
            if (
                word
                and not named
                and not _IS.search(text[max(0, found.start() - 20) : found.start()])
                and not any(word in name for name in names)
            ):
                yield self.key(word)

    def _fits(self, key: str, pronoun: str) -> bool:
        what = f"{key} {self._people.kin.get(key, '')}"
        male, female = _MALE.search(what) is not None, _FEMALE.search(what) is not None
        if male == female:
            return True
        return male if _HE.search(pronoun) else female if _SHE.search(pronoun) else True


def _plain(kin: str) -> str:
    """妈, 妈妈 and 老妈 are one."""
    kin = kin.lower()
    return kin[:1] if kin == kin[:1] * 2 else kin[1:] if kin in ("老妈", "老爸", "亲妈", "亲爸") else kin
