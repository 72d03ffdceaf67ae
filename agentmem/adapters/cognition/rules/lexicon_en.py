"""English words the rules know, by class. Each constant is an alternation for a regular expression."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

IN_LAW = "(?:mother|father|parent|sister|brother|son|daughter)s?[ -]in[ -]law"
"""A relative by marriage, who is not the mother, father … of the same name."""
HOUSEHOLD = (
    f"{IN_LAW}|wife|husband|partner|spouse|girlfriend|boyfriend|fiancee?|son|daughter|kids?|children|child|baby|"
    "toddler|twins|"
    "mother|mom|mum|father|dad|parents?|brother|sister|aunt|uncle|cousin|grandma|grandmother|grandpa|grandfather|"
    "nephew|niece|in-laws|family|dog|cat|puppy|kitten|pet"
)
KIN = f"{IN_LAW}|mum|mom|mummy|dad|daddy|mother|father|gran|grandma|granny|grandpa|grandad|nan|nana|wife|husband|missus|son|daughter|sister|brother|neighbou?rs?|boss|flatmate|roommate|fianc[eé]e?"
"""Whom one may speak of without saying whose he is."""
ROLE = (
    "(?!(?:comput|print|scann|serv|rout|heat|boil|cool|freez|(?:dish)?wash|dry|mix|burn|trail|scoot|numb|ord|off|lett|pap|dinn|corn|charg|count|cov|cook|toast|tow|wat|wint|summ|quart|show|flow|pow|riv|chapt|filt|fold|care|bann|newslett|las|supp|tim|post|stick|canc|ulc|fev|liv|should|fing|bord|lay|ti|mann|matt|form|oth|eith|bett|young|old|small|larg|sist|broth|moth|fath|daught)er\\b|(?:monit|mot|mirr|do|flo|err|sens|tract|elevat|generat|calculat|col|maj|min|fav|interi|exteri|vis|flav|lab|hon)or\\b)"
    "[a-z]{3,}(?:er|or|ist|ician|man|woman|mate|sitter)"
)
"""Nouns of those who do something; things that are named alike are left out."""
CHILDREN = "sons?|daughters?|kids?|children|child|baby|toddler|twins|dogs?|cats?|puppy|kitten|pets?|family"
COLLEAGUES = (
    "colleague|co-?worker|boss|manager|supervisor|assistant|secretary|friend|neighbou?r|landlord|flatmate|roommate|"
    "business partner|co-?founder|accountant|lawyer|director|ceo|cfo|cto|office manager|head of \\w+|buddy|mate|teammate|"
    "line manager|receptionist|PA|ex|competitor|rival|tenant|lodger|goalkeeper|coach|teammate|trainer"
)
OWN = (
    "budget|system|software|website|site|server|database|data|equipment|machines?|team|staff|employees|company|business|firm|"
    "practice|clinic|office|shop|store|stores|restaurant|warehouse|factory|school|lease|contract|rent|house|home|flat|apartment|"
    "car|van|fleet|deadline|move-in date|start date|go-live|workflow|process|invoicing|booking|scheduling|inventory|stock|"
    "customers|clients|patients|members|students|drivers|receptionists|teachers|number|mobile|phone|email|address|job|role|"
    "industry|main (?:problem|issue|concern|pain point|goal|priority)|biggest (?:problem|issue|concern|pain point|headache|worry)|"
    "priority|goal|problem|issue|crm|erp|pos|spreadsheets?|laptop|boiler|roof|kitchen|garden|tooth|teeth|knee|back|shoulder|"
    "birthday|name|timeline|headcount|turnover|revenue|volume|hours|schedule"
)
OFFER = (
    "price|prices|pricing|cost|costs|fee|fees|quote|monthly fee|subscription|plan|premium|deposit|delivery charge|interface|"
    "ui|onboarding|setup|lead time|terms|notice period|location|cancellation policy|product|app|course|service|support"
)
NEGATIVE = (
    "expensive|pricey|steep|costly|high|slow|clunky|outdated|old|ancient|complicated|complex|confusing|unreliable|buggy|broken|"
    "painful|a pain|a nightmare|a mess|frustrating|annoying|terrible|awful|bad|poor|crap|useless|manual|tedious|messy|"
    "too much|too small|too big|too long|too far|too late|too loud|cramped|noisy|hard|difficult|limited|rigid|disappoint\\w+|weak|"
    "over (?:my|our|the) budget|out of (?:my|our) (?:budget|price range)|a lot|crash\\w*|fail\\w*|freez\\w*|breaks?|leak\\w*|"
    "keeps? \\w+ing|doesn't work|not work\\w*|stopped working|not great|not good|not happy|hurts?|sore|overkill"
)
OCCUPATIONS = (
    "(?:head|chief|director|vp|vice president|manager) of (?!(?:the|a|an|my|our|this|that)\\b)[\\w&-]+|engineer|developer|programmer|designer|accountant|lawyer|solicitor|teacher|tutor|nurse|doctor|dentist|vet|chef|cook|"
    "driver|electrician|plumber|builder|carpenter|architect|photographer|journalist|writer|editor|consultant|analyst|"
    "manager|director|owner|founder|co-founder|ceo|cto|cfo|coo|administrator|receptionist|student|freelancer|contractor|"
    "physio\\w*|therapist|trainer|coach|estate agent|agent|broker|buyer|planner|officer|coordinator|assistant|secretary|"
    "pharmacist|scientist|researcher|professor|lecturer|principal|headteacher|salesperson|marketer|recruiter|barber|"
    "hairdresser|florist|baker|farmer|mechanic|technician|supervisor|landlord|landscaper|gardener|pilot|retired|self-employed"
)
FIRM = (
    "practice|company|firm|business|clinic|studio|agency|shop|store|restaurant|cafe|bakery|hotel|school|nursery|gym|salon|"
    "warehouse|factory|manufacturer|distributor|wholesaler|retailer|charity|start-?up|consultancy|law firm|dental practice|"
    "team|garage|brewery|farm|freight forwarder|logistics \\w+|chain|franchise|bank|university|hospital|surgery|provider|developer|supplier|non-?profit|landscaper|contractor|carrier|operator|boutique|bookshop|pub|bar"
)
WHOLE_SIZE = r"(?= ?$|,| (?:now|already|so far|in total|in all|altogether|at the moment|these days|full[- ]time|part[- ]time|across|and growing|(?:in|at|on) (?:the|our) (?:whole |entire )?(?:company|firm|business|team|office|practice|payroll|staff)))"
"""What may stand behind how many there are of a firm: behind how many are ill, invited or at home stands what they are."""
UNCHANGED_VERBS = [
    "laid",
    "am",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "has",
    "had",
    "did",
    "does",
    "can",
    "could",
    "will",
    "would",
    "shall",
    "should",
    "may",
    "might",
    "must",
    "ought",
    "went",
    "came",
    "got",
    "took",
    "made",
    "said",
    "saw",
    "told",
    "gave",
    "found",
    "thought",
    "left",
    "felt",
    "kept",
    "began",
    "bought",
    "brought",
    "built",
    "chose",
    "grew",
    "held",
    "knew",
    "lost",
    "met",
    "paid",
    "ran",
    "sent",
    "sold",
    "spent",
    "stood",
    "taught",
    "understood",
    "won",
    "wrote",
    "broke",
    "drove",
    "ate",
    "fell",
    "flew",
    "heard",
    "led",
    "lent",
    "read",
    "rode",
    "rose",
    "sang",
    "sat",
    "slept",
    "spoke",
    "swam",
    "threw",
    "woke",
    "wore",
    "cut",
    "put",
    "hit",
    "set",
    "let",
    "quit",
    "cost",
    "hurt",
]
ADVERBS = (
    "no longer|really|also|just|still|always|never|usually|often|already|currently|mostly|actually|only|definitely|probably|basically|"
    "generally|normally|typically|sometimes|mainly|recently|finally|desperately|badly|certainly|honestly|literally|both|all|"
    "now|then|even|ever|simply|rarely|occasionally|constantly|personally|absolutely|quite|rather|at the moment|right now|obviously|clearly|specifically|ideally|totally"
)
CONNECTIVES = (
    "and|but|so|because|well|oh|ok|okay|yes|yeah|yep|yup|right|sure|hi|hello|hey|hi there|hello there|also|plus|then|actually|"
    "anyway|honestly|to be honest|tbh|basically|great|perfect|thanks|thank you|sorry|no|nope|ah|hmm|um|uh|er|look|listen|"
    "i mean|you know|the thing is|in fact|as it happens|by the way|btw|besides|however|still|though|although|since|as|first|"
    "second|finally|lastly|ideally|realistically|frankly|fyi|good morning|good afternoon|morning|afternoon|evening|for now|i think|i believe|i'd say|i feel like|i feel|to be fair|at the moment|right now|currently|obviously|exactly|correct|absolutely|definitely|cheers|alright|all right|got it|i see|fine|cool|nice"
)
