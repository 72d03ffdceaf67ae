"""What people are to one another, in Chinese and English: relatives, friends, those one works with, and animals."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Sex = Literal["male", "female"]


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody may be to one, in both languages; `within` is the wider word for it."""

    within: str | None
    sex: Sex | None
    en: str
    zh: str


ROLES: Final[Mapping[str, Role]] = {
    "relative": Role(None, None, "relatives?|famil(?:y|ies)|kin|in-laws|household", "亲戚|家人|家里人|亲人|家属"),
    "parent": Role("relative", None, "parents?|folks", "父母|爸妈|双亲"),
    "mother": Role("parent", "female", "mother|mum|mom|mummy|mommy|mama|ma", "妈妈|母亲|老妈|娘亲|妈"),
    "father": Role("parent", "male", "father|dad|daddy|papa|pa", "爸爸|父亲|老爸|爸"),
    "partner": Role("relative", None, "partner|spouse|fianc[eé]e?|other half", "爱人|配偶|对象|未婚妻|未婚夫"),
    "wife": Role("partner", "female", "wife|missus", "老婆|太太|妻子|媳妇"),
    "husband": Role("partner", "male", "husband|hubby", "老公|丈夫"),
    "girlfriend": Role("partner", "female", "girlfriend", "女朋友|女友"),
    "boyfriend": Role("partner", "male", "boyfriend", "男朋友|男友"),
    "former partner": Role(None, None, r"ex(?:-?(?:wife|husband|partner|girlfriend|boyfriend))?", "前男友|前女友|前妻|前夫|前任"),
    "child": Role("relative", None, "child(?:ren)?|kids?|bab(?:y|ies)|toddler|twins|little one", "孩子们?|小孩|子女|儿女|宝宝|宝贝|双胞胎|娃"),
    "son": Role("child", "male", "sons?|boy", "大儿子|小儿子|儿子"),
    "daughter": Role("child", "female", "daughters?|girl", "大女儿|小女儿|女儿|闺女"),
    "sibling": Role("relative", None, "siblings?|twin", "兄弟姐妹"),
    "brother": Role("sibling", "male", "brothers?|bro", "兄弟"),
    "elder brother": Role("brother", "male", "", "哥哥|大哥|二哥|哥"),
    "younger brother": Role("brother", "male", "", "弟弟|小弟|弟"),
    "sister": Role("sibling", "female", "sisters?|sis", "姐妹"),
    "elder sister": Role("sister", "female", "", "姐姐|大姐|二姐|姐"),
    "younger sister": Role("sister", "female", "", "妹妹|小妹|妹"),
    "grandmother": Role("relative", "female", "grandmother|grandma|gran|granny|nana?", "奶奶|外婆|姥姥|祖母|外祖母|奶"),
    "grandfather": Role("relative", "male", "grandfather|grandpa|granddad|grandad", "爷爷|外公|姥爷|祖父|外祖父|爷"),
    "grandchild": Role("relative", None, "grand(?:child(?:ren)?|sons?|daughters?|kids?)", "孙子|孙女|外孙女?"),
    "mother-in-law": Role("relative", "female", "mother-in-law", "岳母|婆婆|丈母娘"),
    "father-in-law": Role("relative", "male", "father-in-law", "岳父|公公|老丈人"),
    "brother-in-law": Role("relative", "male", "brother-in-law", "姐夫|妹夫|小舅子|大舅子|小叔子|大伯子|连襟"),
    "sister-in-law": Role("relative", "female", "sister-in-law", "嫂子|弟妹|小姨子|大姨子|大姑子|小姑子"),
    "aunt": Role("relative", "female", "aunt(?:ie|y)?", "阿姨|姑姑|姨妈|舅妈|婶婶|伯母|小姨|姑妈"),
    "uncle": Role("relative", "male", "uncle", "叔叔|舅舅|伯伯|大伯|二叔|姑父|姨父"),
    "cousin": Role("relative", None, "cousins?", "表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹"),
    "nephew": Role("relative", "male", "nephews?", "侄子|外甥"),
    "niece": Role("relative", "female", "nieces?", "侄女|外甥女"),
    "friend": Role(None, None, "(?:girl |boy )?friends?|buddy|mate|bestie|pal", "好朋友|朋友|闺蜜|哥们|好友"),
    "colleague": Role(None, None, "colleagues?|co-?workers?|workmates?|teammates?", "同事|搭档"),
    "boss": Role(None, None, "boss|manager|supervisor|line manager", "老板|上司|领导|经理|主管"),
    "assistant": Role(None, None, "assistant|secretary|PA", "助理|秘书"),
    "neighbour": Role(None, None, "neighbou?rs?", "邻居"),
    "flatmate": Role(None, None, "flatmates?|roommates?|housemates?|lodger", "室友|舍友|房客"),
    "landlord": Role(None, None, "landlord|landlady", "房东"),
    "tenant": Role(None, None, "tenants?", "租客"),
    "teacher": Role(None, None, "teacher|tutor|professor|mentor|headteacher|coach|trainer", "老师|导师|班主任|教练"),
    "student": Role(None, None, "students?|pupils?", "学生"),
    "classmate": Role(None, None, "classmates?|schoolmates?", "同学|同桌"),
    "doctor": Role(None, None, "doctor|GP|physician|dentist|therapist|nurse", "医生|大夫|牙医"),
    "lawyer": Role(None, None, "lawyer|solicitor|accountant", "律师|会计"),
    "client": Role(None, None, "clients?|customers?|business partner|co-?founder", "客户|合伙人"),
    "nanny": Role(None, None, "nanny|babysitter|cleaner|childminder|au pair", "保姆|月嫂|钟点工"),
    "pet": Role(None, None, "pets?", "宠物"),
    "dog": Role("pet", None, "dogs?|puppy|puppies", "小狗|狗狗|狗"),
    "cat": Role("pet", None, "cats?|kittens?", "小猫|猫咪|猫"),
}  # fmt: skip


def is_within(role: str, other: str) -> bool:
    """Whether a role is the other, or one of those the other is a wider word for."""
    found: str | None = role
    while found is not None and found != other:
        found = ROLES[found].within if found in ROLES else None
    return found is not None
