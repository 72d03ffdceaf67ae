"""The words by which English and Chinese relate two things, by the name of the relation they say.

Names are UPPER_SNAKE and say what the first is to the second; each has its counterpart where the second may come first.
"""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

RELATIONS_EN: Final = {
    "USES": r"uses?|used|using|runs on|ran on|works? with|is using|is based on|is built on|is powered by|is written in|adopted|switched to|moved to using",
    "DEPENDS_ON": r"depends? on|depended on|relies on|relied on|requires?|needs?",
    "SUPPORTS": r"supports?|supported|is compatible with|works? for",
    "PROVIDES": r"provides?|provided|offers?|offered|includes?|contains?|comes with",
    "SUPPLIES": r"supplies|supplied|delivers? to|ships? to|sells? to|sold",
    "SUPPLIED_BY": r"(?:is|are|was|were) (?:supplied|delivered|provided|sold) by|buys from|bought from|comes from|is a customer of",
    "OWNS": r"owns?|owned|acquired|bought|took over",
    "OWNED_BY": r"(?:is|are|was|were) (?:owned|acquired|bought) by|belongs? to|is a subsidiary of",
    "PART_OF": r"is (?:a |the )?(?:part|module|component|division|member|branch|department|unit) of|is in the|is included in",
    "LOCATED_IN": r"(?:is|are|was|were) (?:located|based|headquartered|situated) (?:in|at|near)|lives? in|lived in|is in|sits in|stands in|has its (?:seat|office|headquarters) in|operates in",
    "WORKS_AT": r"works? (?:at|for|with)|worked (?:at|for)|is employed (?:at|by)|joined|is (?:an? |the )?[\w -]{2,30} (?:at|of|for)",
    "LEADS": r"leads?|led|manages?|managed|heads?|headed|runs|directs?|is responsible for|is in charge of|looks after|oversees",
    "LED_BY": r"(?:is|are|was|were) (?:led|managed|headed|run|directed|overseen) by|reports? to",
    "MADE": r"built|builds|develops?|developed|makes|made|created|designed|wrote|invented|produces?|produced|publishes|published|launched|launches|released|releases",
    "MADE_BY": r"(?:(?:is|are|was|were) )?(?:made|built|developed|created|designed|written|invented|produced|published|maintained|launched|released) by|is (?:a|the) product of",
    "FOUNDED": r"(?:co-)?founded|(?:co-)?founds|set up|established",
    "FOUNDED_BY": r"(?:(?:is|was|were) )?(?:co-)?(?:founded|established|set up) by",
    "IS_A": r"is an?|is one of|is an? (?:kind|type|version|variant|fork) of",
    "MAINTAINS": r"maintains?|maintained|operates|operated|hosts?|hosted|administers",
    "MAINTAINED_BY": r"(?:is|are|was|were) (?:operated|hosted|administered|kept) by",
    "CONNECTS_TO": r"connects? (?:to|with)|connected to|integrates? with|integrated with|talks? to|sends? (?:data |events |orders |messages )?to|writes? to|reads? from|feeds|syncs? with|exports? to|is linked to|links? to",
    "STORES_IN": r"stores? (?:its |the |all )?(?:data|records|files|events|orders|documents) in|(?:is|are) stored in|keeps (?:its |the )?\w+ in",
    "REPLACED": r"replaces?|replaced|supersedes?|superseded",
    "REPLACED_BY": r"(?:is|was|were) replaced by|was superseded by|gave way to",
    "KNOWS": r"knows|met|is (?:married to|a friend of|a colleague of|the (?:wife|husband|son|daughter|brother|sister) of)|married",
    "NAMED_AFTER": r"is named after|was named after",
    "PARTNERS_WITH": r"partners? with|partnered with|cooperates with|works together with",
}
RELATIONS_ZH: Final = {
    "IS_A": r"是(?:一[种款个类家套]|其中一[种款个])",
    "USES": r"使用了?|采用了?|用的?是|用了?|基于|运行在|搭载",
    "DEPENDS_ON": r"依赖于?|需要|离不开",
    "SUPPORTS": r"支持|兼容|适用于|帮助|服务于|面向",
    "PROVIDES": r"提供了?|包含|包括|内置|具有|具备|推出了?",
    "SUPPLIES": r"供应|供货给|出售给",
    "SUPPLIED_BY": r"采购自|来自",
    "OWNS": r"拥有|收购了?|控股|买下了?",
    "OWNED_BY": r"归属于?|隶属于",
    "PART_OF": r"属于",
    "LOCATED_IN": r"位于|坐落于|设在|总部(?:位于|在|设在)|住在",
    "WORKS_AT": r"就职于|任职于|供职于|加入了?",
    "LEADS": r"负责|领导|管理着?|主管|主持|带领|牵头",
    "MADE": r"开发了?|研发了?|建造了?|制造了?|设计了?|发布了?|编写了?|上线了",
    "MADE_BY": r"出自",
    "FOUNDED": r"创立了?|创办了?|创建了?|成立了",
    "MAINTAINS": r"维护着?|运维|托管",
    "CONNECTS_TO": r"对接了?|集成了?|连接到?|接入了?|同步到|写入|读取|推送到|打通",
    "STORES_IN": r"(?:的?数据)?(?:存储|保存|存放|存)在",
    "REPLACED": r"替换了?|取代了?|代替了?",
    "KNOWS": r"认识|的(?:同事|朋友|妻子|丈夫|儿子|女儿)是",
}
AROUND_ZH: Final = (
    ("SUPPLIED_BY", "由", "供应|提供|供货"),
    ("OWNED_BY", "被", "收购|买下|控股"),
    ("OWNED_BY", "是", "的?(?:全资)?子公司|旗下"),
    ("PART_OF", "是", "的(?:一部分|一个|组成部分|模块|部门|子系统)"),
    ("LOCATED_IN", "在", "$|[,，、;；]|办公|开设|落户"),
    ("WORKS_AT", "在", "工作|上班|任职|就职"),
    ("WORKS_AT", "是", "的(?:员工|\\w{0,4}经理|总监|\\w{0,4}工程师|负责人|顾问|\\w{0,2}主管|会计|老板|创始人)"),
    ("LED_BY", "由|归", "负责|领导|管理|主管|主持|牵头|管"),
    ("LED_BY", "向", "汇报"),
    ("MADE_BY", "由", "开发|研发|建造|制造|设计|发布|编写|出品"),
    ("MADE_BY", "是", "(?:开发|研发|推出|发布|制造|出品)的"),
    ("FOUNDED_BY", "由", "创立|创办|创建|发起成立"),
    ("MAINTAINED_BY", "由", "维护|运维|托管"),
    ("REPLACED_BY", "被", "替换|取代|代替"),
    ("KNOWS", "和|与", "是(?:同事|朋友|夫妻)|结婚"),
    ("NAMED_AFTER", "以", "命名"),
    ("PARTNERS_WITH", "与|和|同", "(?:达成)?合作"),
)
"""Ways to relate two names that close behind the second one: 由刘强维护."""
